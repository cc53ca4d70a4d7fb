import { Cursor } from '../cursor.ts';

/** A piece of a compiled resource: its type, its own header behind the common one, and what it holds. */
export interface Chunk {
  readonly type: number;
  readonly header: Buffer;
  readonly body: Buffer;
  readonly whole: Buffer;
}

const COMMON = 8;

/** The chunks in these bytes, one behind another. */
export function* chunksIn(bytes: Buffer, wrong: () => Error): Generator<Chunk> {
  for (let at = 0; at < bytes.length; ) {
    const cursor = new Cursor(bytes, wrong, at);
    const [type, headerSize, size] = [cursor.u16(), cursor.u16(), cursor.u32()];
    if (headerSize < COMMON || size < headerSize || size > bytes.length - at) throw wrong();
    const whole = bytes.subarray(at, at + size);
    yield { type, header: whole.subarray(COMMON, headerSize), body: whole.subarray(headerSize), whole };
    at += size;
  }
}
