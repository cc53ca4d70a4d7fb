/** The few words of NATS that terminals of the anchor speak. */
const subjectOf = (topic: string) => topic.replaceAll('/', '.');

export const natsConnect = (topic: string): string => `CONNECT {"verbose":false,"pedantic":false}\r\nSUB ${subjectOf(topic)} 1\r\nPING\r\n`;
export const natsPublish = (topic: string, text: string): string => `PUB ${subjectOf(topic)} ${Buffer.byteLength(text)}\r\n${text}\r\n`;

const NONE = Buffer.alloc(0);
const CRLF = Buffer.from('\r\n');

/** Hands over the whole messages of some bytes; answers the bytes that are left. */
export function eachNatsLine(bytes: Buffer, take: (word: string, subject: string, payload: Buffer) => void): Buffer | undefined {
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(CRLF, at);
    if (end < 0) break;
    const words = bytes.toString('latin1', at, end).split(' ');
    if (words[0] !== 'MSG') {
      take(words[0] ?? '', '', NONE);
      at = end + 2;
      continue;
    }
    const length = Number(words.at(-1));
    if (end + 2 + length + 2 > bytes.length) break;
    take('MSG', words[1] ?? '', bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
  return at < bytes.length ? Buffer.from(bytes.subarray(at)) : undefined;
}
