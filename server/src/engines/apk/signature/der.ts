import { WrongSignature } from '../broken.ts';

/** One element of DER: its tag, what is in it, and all of it. */
export interface Der {
  readonly tag: number;
  readonly body: Buffer;
  readonly whole: Buffer;
}

const broken = () => new WrongSignature('BLOCK_BROKEN');
const MOST_ELEMENTS = 1000;

function elementAt(bytes: Buffer, at: number): Der {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw broken();
  const more = first < 0x80 ? 0 : first & 0x7f;
  // Of a length that isn't given, or of one that no signature has.
  if (first === 0x80 || more > 4 || at + 2 + more > bytes.length) throw broken();
  const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
  const from = at + 2 + more;
  if (from + length > bytes.length) throw broken();
  return { tag, body: bytes.subarray(from, from + length), whole: bytes.subarray(at, from + length) };
}

/** The elements that stand in these bytes, one behind another. */
export function elements(bytes: Buffer): Der[] {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (found.length === MOST_ELEMENTS) throw broken();
    const one = elementAt(bytes, at);
    found.push(one);
    at += one.whole.length;
  }
  return found;
}

/** The one element that these bytes are. */
export function only(bytes: Buffer, tag: number): Der {
  const one = elementAt(bytes, 0);
  if (one.tag !== tag) throw broken();
  return one;
}

export function must(one: Der | undefined, tag: number): Der {
  if (one?.tag !== tag) throw broken();
  return one;
}

/** Dotted name of an object identifier. */
export function objectName(one: Der): string {
  const parts: number[] = [];
  let value = 0;
  for (const byte of must(one, 0x06).body) {
    value = value * 128 + (byte & 0x7f);
    if (value > Number.MAX_SAFE_INTEGER / 256) throw broken();
    if (byte < 0x80) {
      parts.push(value);
      value = 0;
    }
  }
  const [first = 0, ...rest] = parts;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - 40 * top, ...rest].join('.');
}

/** An element made of what is in it. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), body]);
  const bytes = size < 0x100 ? 1 : size < 0x10000 ? 2 : size < 0x1000000 ? 3 : 4;
  const length = Buffer.alloc(bytes);
  length.writeUIntBE(size, 0, bytes);
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes]), length, body]);
}

export function objectDer(name: string): Buffer {
  const [top = 0, second = 0, ...rest] = name.split('.').map(Number);
  const inBase128 = (value: number): number[] => {
    const digits = [value % 128];
    for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left % 128) | 0x80);
    return digits;
  };
  return der(0x06, Buffer.from([top * 40 + second, ...rest].flatMap(inBase128)));
}
