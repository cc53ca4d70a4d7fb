/** DER, as certificates, requests and key files are written: as much of it as those need. */

export interface Der {
  readonly tag: number;
  readonly body: Buffer;
  /** With its tag and length. */
  readonly raw: Buffer;
}
export class DerError extends Error {}

const MOST = 20_000;
/** One value at a place, of a definite length; where a tool may leave lengths open, `readBer` reads it first. */
export function readDer(bytes: Buffer, at = 0): Der {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new DerError('no value');
  const more = first < 0x80 ? 0 : first & 0x7f;
  if ((first >= 0x80 && (more === 0 || more > 4)) || at + 2 + more > bytes.length) throw new DerError('no length');
  const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
  const start = at + 2 + more;
  if (start + length > bytes.length) throw new DerError('cut off');
  return { tag, body: bytes.subarray(start, start + length), raw: bytes.subarray(at, start + length) };
}

const DEEPEST = 20;
/** Lengths that were left open (X.690, section 8.1.3.6), as signatures are written by some tools, become definite; what had one stays as it is. */
function closed(bytes: Buffer, at: number, depth: number): { readonly raw: Buffer; readonly end: number } {
  if (bytes[at + 1] !== 0x80) {
    const { raw } = readDer(bytes, at);
    return { raw, end: at + raw.length };
  }
  const tag = bytes[at] ?? 0;
  if ((tag & 0x20) === 0 || depth > DEEPEST) throw new DerError('no length');
  const parts: Buffer[] = [];
  for (let next = at + 2; ; ) {
    if (bytes[next] === 0 && bytes[next + 1] === 0) return { raw: der(tag, ...parts), end: next + 2 };
    const part = closed(bytes, next, depth + 1);
    parts.push(part.raw);
    next = part.end;
    if (parts.length > MOST) throw new DerError('too many');
  }
}

/** The first value of these bytes, in DER. */
export const readBer = (bytes: Buffer): Der => readDer(closed(bytes, 0, 0).raw);

/** The bytes of an octet string, also of one that is written in parts (X.690, section 8.7.3). */
export function octetsOf(of: Der, depth = 0): Buffer {
  if ((of.tag & 0x20) === 0) return of.body;
  if (depth > DEEPEST) throw new DerError('too deep');
  return Buffer.concat(partsOf(of).map((part) => octetsOf(part, depth + 1)));
}

/** All that these bytes are, in DER, and nothing behind it. */
export function definite(bytes: Buffer): Der {
  const { raw, end } = closed(bytes, 0, 0);
  if (end !== bytes.length) throw new DerError('more');
  return readDer(raw);
}

/** The values that lie in one, in their order. */
export function partsOf({ body }: Pick<Der, 'body'>): Der[] {
  const parts: Der[] = [];
  for (let at = 0; at < body.length; ) {
    const part = readDer(body, at);
    parts.push(part);
    at += part.raw.length;
    if (parts.length > MOST) throw new DerError('too many');
  }
  return parts;
}

export function partOf(of: Der | undefined, at: number): Der {
  const part = of && partsOf(of)[at];
  if (!part) throw new DerError('missing');
  return part;
}

export function oidOf({ tag, body }: Der): string {
  if (tag !== 0x06 || body.length === 0) throw new DerError('no object id');
  const numbers: number[] = [];
  let value = 0;
  for (const byte of body) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(value);
      value = 0;
    }
  }
  const [first = 0, ...rest] = numbers;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...rest].join('.');
}

/** A number that fits: larger ones are larger than any limit. */
export const intOf = ({ tag, body }: Der): number => {
  if (tag !== 0x02) throw new DerError('no number');
  return body.length > 6 ? Number.POSITIVE_INFINITY : body.readIntBE(0, body.length || 1);
};

export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const short = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | short.length]), short, body]);
}
export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const setOf = (...parts: readonly Buffer[]): Buffer => der(0x31, ...[...parts].sort(Buffer.compare));
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
export const bits = (bytes: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), bytes);
/** A positive number, big-endian. */
export function integer(value: number | Buffer): Buffer {
  const bytes = typeof value === 'number' ? Buffer.from(value.toString(16).padStart(value > 0xff ? 8 : 2, '0'), 'hex') : value;
  const from = bytes.findIndex((byte) => byte !== 0);
  const short = from < 0 ? Buffer.from([0]) : bytes.subarray(from);
  return der(0x02, ((short[0] ?? 0) & 0x80) !== 0 ? Buffer.concat([Buffer.from([0]), short]) : short);
}
export const nothing = der(0x05);

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const parts = [number & 0x7f];
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128)) parts.unshift((left & 0x7f) | 0x80);
    return parts;
  });
  return der(0x06, Buffer.from(bytes));
}

/** Until 2049 as UTCTime, later as GeneralizedTime (RFC 5280, section 4.1.2.5). */
export function time(at: Date): Buffer {
  const text = `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

export const pem = (label: string, bytes: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${(
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END ${label}-----\n`;
/** The bytes of each block of a label. */
export const pemBlocks = (text: string, label: string): Buffer[] =>
  [...text.matchAll(new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]*)-----END ${label}-----`, 'g'))].map((found) =>
    Buffer.from(found[1] ?? '', 'base64'),
  );
