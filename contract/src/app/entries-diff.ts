import { z } from 'zod';
import { applyFrames, type Bytes, type Decompress } from '../device/diff-frames.ts';
import { MOST_UNPACKED, type RepackPlan, repack, unpackedBase } from './repack.ts';

/** A skippable frame of zstd, told from that of frames: whatever reads zstd passes over it. */
const MAGIC = 0x184d2a5c;
const HEAD = 8;
/** What a plan unpacks to, at most: an archive has 65,535 files. */
const MOST_PLAN = 4 * 1024 * 1024;
/** Larger packages go as they are: both stand in a terminal’s memory, unpacked. */
export const MOST_ENTRIES_BYTES = 64 * 1024 * 1024;

/** How long the unpacked package is, and how it is packed again. */
const Plan = z.object({
  size: z
    .int()
    .min(0)
    .max(MOST_UNPACKED + MOST_ENTRIES_BYTES),
  plan: z.array(z.tuple([z.int().min(0), z.int().min(0), z.int().min(0).max(9)])),
});

/** The plan as text, which is compressed and put before the difference of the unpacked. */
export const planText = (size: number, plan: RepackPlan): Uint8Array => new TextEncoder().encode(JSON.stringify({ size, plan }));

/** What stands before the difference of the unpacked. */
export function planHeader(packed: Uint8Array): Uint8Array {
  const header = new Uint8Array(HEAD + packed.length);
  const view = new DataView(header.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, packed.length, true);
  header.set(packed, HEAD);
  return header;
}

async function readPlan(diff: Bytes, decompress: Decompress) {
  if (diff.size < HEAD) return undefined;
  const head = await diff.read(0, HEAD);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (view.getUint32(0, true) !== MAGIC) return undefined;
  const at = HEAD + view.getUint32(4, true);
  if (at > diff.size || at > MOST_PLAN) throw new Error('the plan is broken');
  const text = await decompress(await diff.read(HEAD, at - HEAD), new Uint8Array(0), MOST_PLAN);
  return { ...Plan.parse(JSON.parse(new TextDecoder().decode(text))), at };
}

const inMemory = (bytes: Uint8Array): Bytes => ({ size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) });
const after = (bytes: Bytes, from: number): Bytes => ({ size: bytes.size - from, read: (at, length) => bytes.read(from + at, length) });

/** What a difference of either form makes of its base, piece by piece; a wrong one throws, or makes other bytes. */
export async function* applyEither(base: Bytes, diff: Bytes, size: number, decompress: Decompress): AsyncGenerator<Uint8Array> {
  const head = await readPlan(diff, decompress);
  if (!head) {
    yield* applyFrames(base, diff, size, decompress);
    return;
  }
  if (base.size > MOST_ENTRIES_BYTES || size > MOST_ENTRIES_BYTES) throw new Error('too large to be unpacked');
  const whole = repack({ image: await imageOf(base, after(diff, head.at), head.size, decompress), plan: head.plan }, size);
  if (!whole) throw new Error('plan and package don’t belong together');
  yield whole;
}

/** The unpacked new package. The base is out of memory before it is packed again. */
async function imageOf(base: Bytes, diff: Bytes, size: number, decompress: Decompress): Promise<Uint8Array> {
  const old = inMemory(unpackedBase(await base.read(0, base.size)));
  const image = new Uint8Array(size);
  let made = 0;
  for await (const piece of applyFrames(old, diff, size, decompress)) {
    if (made + piece.length > size) throw new Error('more than the plan says');
    image.set(piece, made);
    made += piece.length;
  }
  if (made !== size) throw new Error('less than the plan says');
  return image;
}
