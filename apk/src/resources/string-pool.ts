import { Cursor } from '../cursor.ts';

/** Texts of a compiled resource. Each is decoded when it is asked for: a pool of millions costs nothing. */
export interface StringPool {
  at(index: number): string;
}

export const STRINGS = 0x0001;
const UTF8 = 0x100;
const MOST_CHARACTERS = 32_767;
const utf8 = new TextDecoder('utf-8');
const utf16 = new TextDecoder('utf-16le');

export function readStringPool(chunk: Buffer, wrong: () => Error): StringPool {
  const head = new Cursor(chunk, wrong, 2);
  const headerSize = head.u16();
  head.skip(4);
  const [count] = [head.u32(), head.u32()];
  const [flags, start] = [head.u32(), head.u32()];
  if (headerSize + 4 * count > chunk.length || start > chunk.length) throw wrong();
  const isUtf8 = (flags & UTF8) !== 0;
  const known = new Map<number, string>();
  let room = 2 * chunk.length;
  return {
    at: (index) => {
      if (index >= count) throw wrong();
      const offset = chunk.readUInt32LE(headerSize + 4 * index);
      if (offset > chunk.length - start) throw wrong();
      const text = known.get(offset) ?? (isUtf8 ? utf8Text : utf16Text)(new Cursor(chunk, wrong, start + offset), wrong);
      if (known.has(offset)) return text;
      known.set(offset, text);
      // Texts that lie over one another: many long ones out of few bytes.
      room -= text.length;
      if (room < 0) throw wrong();
      return text;
    },
  };
}

/** Of one byte, or two where the highest bit says so. */
function shortLength(cursor: Cursor): number {
  const first = cursor.u8();
  return first & 0x80 ? ((first & 0x7f) << 8) | cursor.u8() : first;
}

function utf8Text(cursor: Cursor, _wrong: () => Error): string {
  shortLength(cursor);
  return utf8.decode(cursor.take(shortLength(cursor)));
}

function utf16Text(cursor: Cursor, wrong: () => Error): string {
  const first = cursor.u16();
  const length = first & 0x8000 ? (first & 0x7fff) * 0x10000 + cursor.u16() : first;
  if (length > MOST_CHARACTERS) throw wrong();
  return utf16.decode(cursor.take(2 * length));
}
