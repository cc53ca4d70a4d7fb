import { SMTPServer } from 'smtp-server';

export interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  /** Everything as it came over the wire. */
  readonly raw: string;
}

export interface MailBox {
  readonly url: string;
  readonly port: number;
  readonly arrived: Arrived[];
  /** Answers the next messages with this code instead of taking them. */
  refuse: number | undefined;
  stop(): Promise<void>;
}

/** A real SMTP server on loopback. */
export async function mailBox(port = 0): Promise<MailBox> {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (box.refuse !== undefined) return done(Object.assign(new Error('not now'), { responseCode: box.refuse }));
        const { mailFrom, rcptTo } = session.envelope;
        arrived.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((one) => one.address),
          raw: Buffer.concat(parts).toString('utf8'),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const at = (server.server.address() as { port: number }).port;
  const box: MailBox = {
    url: `smtp://127.0.0.1:${at}?starttls=0&from=console@mooring.test`,
    port: at,
    arrived,
    refuse: undefined,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return box;
}

/** The readable part of a message: quoted-printable and base64 undone. */
export function wordsOf(raw: string): string {
  const decoded = raw
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (text) => Buffer.from(text.replaceAll('=', ''), 'hex').toString('utf8'));
  const blocks = [...raw.matchAll(/base64\r?\n(?:[\w-]+:.*\r?\n)*\r?\n([A-Za-z0-9+/=\r\n]+)/g)].map((found) =>
    Buffer.from(found[1] ?? '', 'base64').toString('utf8'),
  );
  return [decoded, ...blocks].join('\n');
}
