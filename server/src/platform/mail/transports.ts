import { createHmac } from 'node:crypto';
import type { Db } from '../context.ts';
import { type Allowed, connectOutside, sendOutside } from '../outbound/door.ts';
import { brandOf } from './mail.ts';
import type { MailServer, SmsHook } from './settings.ts';

export interface Parcel {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
/** Carries one message. Fails with `permanent` where trying again is useless. */
export interface Transport {
  readonly from: string;
  carry(parcel: Parcel): Promise<void>;
}

/** A server's own words stay with it: it may be none, and its first line the secret of another service. */
const said: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server refused the sign-in',
  EENVELOPE: 'the mail server refused the sender or the recipient',
  EMESSAGE: 'the mail server refused the message',
  EPROTOCOL: 'what answers is no mail server',
  ETLS: 'no secure connection with the mail server',
  EDNS: 'the mail server’s name is unknown',
  ENOTFOUND: 'the mail server’s name is unknown',
  ECONNECTION: 'the mail server doesn’t answer',
  ECONNREFUSED: 'the mail server doesn’t answer',
  ETIMEDOUT: 'the mail server doesn’t answer',
  ESOCKET: 'the connection with the mail server broke',
};
export function reasonOf(error: unknown): string {
  const { code = '', responseCode, fault, message } = error as Error & { code?: string; responseCode?: number; fault?: string };
  const known = said[code];
  if (fault !== undefined) return fault;
  if (known === undefined && responseCode === undefined)
    return (
      String(message ?? error)
        .split('\n')[0]
        ?.slice(0, 300) ?? ''
    );
  return `${known ?? 'the mail server refused'} (${[code, responseCode].filter(Boolean).join(' ')})`;
}

export const permanentOf = (error: unknown): boolean => {
  const { responseCode, permanent } = error as { responseCode?: number; permanent?: boolean };
  // 5xx of the recipient or the content is final; a refused sign-in is the administrator's to mend, so it is tried again.
  return permanent === true || (responseCode !== undefined && responseCode >= 550 && responseCode < 560);
};

/** Undefined where no mail server is set up. */
export async function mailTransport(server: MailServer | undefined, db: Db, allowed: Allowed): Promise<Transport | undefined> {
  if (!server) return undefined;
  const name = server.fromName || (await brandOf(db));
  const from = server.fromAddress || `mooring@${server.host}`;
  return {
    from,
    async carry(parcel) {
      const { createTransport } = await import('nodemailer');
      const connection = await connectOutside(server.host, server.port, allowed);
      const transport = createTransport({
        getSocket: (_options, done) => done(null, { connection }),
        host: server.host,
        port: server.port,
        secure: server.security === 'tls',
        requireTLS: server.security === 'starttls',
        ignoreTLS: server.security === 'none',
        ...(server.user ? { auth: { user: server.user, pass: server.password } } : {}),
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
        // A message is words alone: nothing is read from disk or fetched for it.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail({
          messageId: parcel.id,
          from: { name, address: from },
          // An object is never read as a list of addresses.
          to: { name: '', address: parcel.to },
          subject: parcel.subject,
          text: parcel.text,
          html: parcel.html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } finally {
        connection.destroy();
        transport.close();
      }
    },
  };
}

/** Text messages go to one HTTP address, signed as Standard Webhooks does. Undefined where none is set up. */
export function smsTransport(hook: SmsHook | undefined, now: () => Date, allowed: Allowed): Transport | undefined {
  if (!hook) return undefined;
  return {
    from: 'mooring',
    async carry({ id, to, text }) {
      const body = JSON.stringify({ to, text });
      const stamp = String(Math.floor(now().getTime() / 1000));
      const messageId = id.replace(/[<>]/g, '');
      const { status } = await sendOutside({
        url: hook.url,
        headers: {
          'content-type': 'application/json',
          'webhook-id': messageId,
          'webhook-timestamp': stamp,
          'webhook-signature': `v1,${createHmac('sha256', hook.secret).update(`${messageId}.${stamp}.${body}`).digest('base64')}`,
        },
        body,
        allowed,
        timeoutMs: 10_000,
      });
      if (status < 200 || status >= 300) throw Object.assign(new Error(`HTTP ${status}`), { permanent: status === 400 || status === 422 });
    },
  };
}
