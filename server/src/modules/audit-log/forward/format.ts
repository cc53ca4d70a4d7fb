/** An entry of the log as it is forwarded. */
export interface Forwarded {
  readonly id: number;
  readonly at: Date;
  readonly sealNo: number;
  readonly requestId: string;
  readonly actorId: number | null;
  readonly actor: string;
  readonly dept: string;
  readonly platform: string | null;
  readonly ip: string;
  readonly call: string;
  readonly target: string | null;
  readonly result: string;
  readonly count: number;
  readonly device: string | null;
}

const NOTICE = 5;
const WARNING = 4;
const MOST = 512;
/** No enterprise number is ours; this one is IANA's for examples and documents (RFC 5612). */
const SD_ID = 'mooring@32473';

/** Printable ASCII without spaces, as RFC 5424 wants of its header's fields; `-` where nothing is left. */
const plain = (text: string, most: number) => text.replace(/[^\x21-\x7e]/g, '').slice(0, most) || '-';

/** A value of structured data: quotes, backslashes and brackets escaped, control characters away. */
const quoted = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant.
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    .slice(0, MOST)
    .toWellFormed()
    .replace(/["\\\]]/g, '\\$&');

const dataOf = (params: Readonly<Record<string, string | number | null>>) =>
  Object.entries(params)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ` ${name}="${quoted(String(value))}"`)
    .join('');

interface Head {
  readonly facility: number;
  readonly host: string;
}
const line = ({ facility, host }: Head, severity: number, at: Date, kind: string, data: string, text: string) =>
  `<${facility * 8 + severity}>1 ${at.toISOString()} ${plain(host, 255)} mooring - ${kind} ${data} ${text}`;

/** An entry as one message of RFC 5424. */
export function messageOf(head: Head, entry: Forwarded): string {
  const { at, call, result, ...rest } = entry;
  const params = { ...rest, call, result };
  const severity = result === 'done' ? NOTICE : WARNING;
  return line(head, severity, at, 'audit', `[${SD_ID}${dataOf(params)}]`, `${plain(call, MOST)} ${plain(result, 64)}`);
}

export const testMessage = (head: Head, at: Date): string => line(head, NOTICE, at, 'test', '-', 'Test message of Mooring');

/** Octet counting of RFC 5425 and RFC 6587: the bytes of a message, a space, the message. */
export const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`;
