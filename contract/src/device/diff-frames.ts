import { z } from 'zod';

const MB = 1024 * 1024;
/** So much of an image a frame makes, of so much of the base: a terminal that reads what it fetched as it goes holds 64 MB at most. */
export const FRAME_BYTES = 30 * MB;
export const SLICE_BYTES = 30 * MB;
/** Smaller images, of smaller bases, need no frames. */
export const FRAMED_FROM = 32 * MB;

/** A skippable frame of zstd: whatever reads zstd passes over it. */
const MAGIC = 0x184d2a5d;
const HEAD = 8;
const MOST_HEADER = MB;

/** Where in the base the slice begins, its length, how much of the image it makes, and the length of its zstd frame. */
const Frame = z.tuple([
  z.int().min(0),
  z.int().min(0).max(SLICE_BYTES),
  z.int().min(1).max(FRAME_BYTES),
  z
    .int()
    .min(1)
    .max(FRAME_BYTES + MB),
]);
export type DiffFrame = z.infer<typeof Frame>;
const Frames = z.array(Frame);

/** Bytes that are read where they are needed: a file, or what is in memory. */
export interface Bytes {
  readonly size: number;
  read(at: number, length: number): Promise<Uint8Array>;
}
/** One zstd frame with its raw dictionary; never more than `size`. */
export type Decompress = (bytes: Uint8Array, dictionary: Uint8Array, size: number) => Promise<Uint8Array>;

/** What stands before the frames. `room` keeps its length where it is written before they are known. */
export function frameHeader(frames: readonly DiffFrame[], room = 0): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(frames).padEnd(room));
  const header = new Uint8Array(HEAD + text.length);
  const view = new DataView(header.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, text.length, true);
  header.set(text, HEAD);
  return header;
}

interface Read {
  readonly frames: readonly DiffFrame[];
  readonly at: number;
}

/** Undefined of a difference that is one frame with all of its base, as `zstd --patch-from` makes it. */
async function readHeader(diff: Bytes): Promise<Read | undefined> {
  if (diff.size < HEAD) return undefined;
  const head = await diff.read(0, HEAD);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.getUint32(0, true) !== MAGIC) return undefined;
  const length = view.getUint32(4, true);
  if (length > MOST_HEADER || HEAD + length > diff.size) throw new Error('the list of frames is broken');
  return { frames: Frames.parse(JSON.parse(new TextDecoder().decode(await diff.read(HEAD, length)))), at: HEAD + length };
}

/** The image that a difference of `size` bytes makes of its base, piece by piece; a wrong one throws, or makes other bytes. */
export async function* applyFrames(base: Bytes, diff: Bytes, size: number, decompress: Decompress): AsyncGenerator<Uint8Array> {
  const header = await readHeader(diff);
  if (!header) {
    yield await decompress(await diff.read(0, diff.size), await base.read(0, base.size), size);
    return;
  }
  let at = header.at;
  let made = 0;
  for (const [baseAt, baseSize, frameSize, bytes] of header.frames) {
    made += frameSize;
    if (baseAt + baseSize > base.size || at + bytes > diff.size || made > size) throw new Error('a frame leads out of its file');
    const piece = await decompress(await diff.read(at, bytes), await base.read(baseAt, baseSize), frameSize);
    if (piece.length !== frameSize) throw new Error('a frame has another length');
    yield piece;
    at += bytes;
  }
}
