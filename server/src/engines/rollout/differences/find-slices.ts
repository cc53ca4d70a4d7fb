import type { Bytes } from '@mooring/contract/device/diff-frames';
import { SLICE_BYTES } from '@mooring/contract/device/diff-frames';

const READ_BYTES = 1024 * 1024;
/** A place where the hash of the 32 bytes before it ends in so many zeros: one in 4 KB, wherever the content moves to. */
const MASK = 0xfff00000;
/** Slices begin at multiples of this. */
const STEP = 1024 * 1024;

/** Fixed and without pattern: of a generator of no importance. */
const gear = new Uint32Array(256);
for (let at = 0, seed = 0x9e3779b9; at < 256; at += 1) {
  seed = Math.imul(seed ^ (seed >>> 15), 0x85ebca6b) ^ at;
  seed = Math.imul(seed ^ (seed >>> 13), 0xc2b2ae35);
  gear[at] = seed ^ (seed >>> 16);
}

/** Places in a piece of content that are found again where it has moved, with what is found there. */
async function anchors(of: Bytes, from: number, to: number, seen: (mark: number, at: number) => void): Promise<void> {
  let hash = 0;
  let second = 0;
  for (let at = from; at < to; at += READ_BYTES) {
    const block = await of.read(at, Math.min(READ_BYTES, to - at));
    for (let index = 0; index < block.length; index += 1) {
      const byte = block[index] ?? 0;
      hash = ((hash << 1) + (gear[byte] ?? 0)) | 0;
      second = (Math.imul(second, 0x01000193) ^ byte) | 0;
      if ((hash & MASK) === 0) {
        seen((hash ^ second) | 0, at + index);
        second = 0;
      }
    }
  }
}

export type FindSlice = (from: number, to: number) => Promise<{ readonly at: number; readonly size: number }>;

/** For a part of the image the slice of the base in which most of it is found; about the same place where nothing is. */
export async function sliceFinder(base: Bytes, full: Bytes): Promise<FindSlice> {
  const size = Math.min(base.size, SLICE_BYTES);
  const last = base.size - size;
  const places = new Map<number, number>();
  if (last > 0)
    await anchors(base, 0, base.size, (mark, at) => {
      if (!places.has(mark)) places.set(mark, at);
    });
  return async (from, to) => {
    if (last <= 0) return { at: 0, size };
    const found = new Uint32Array(Math.ceil(base.size / STEP));
    await anchors(full, from, to, (mark) => {
      const place = places.get(mark);
      if (place !== undefined) found[Math.floor(place / STEP)] = (found[Math.floor(place / STEP)] ?? 0) + 1;
    });
    // Where two are as good, the nearer one.
    const middle = Math.min(last, Math.max(0, Math.round((from + to) / 2 - size / 2)));
    let best = { at: middle, hits: -1 };
    for (const start of [middle, ...Array.from(found.keys(), (index) => Math.min(last, index * STEP))]) {
      let hits = 0;
      for (let index = Math.floor(start / STEP); index * STEP < start + size && index < found.length; index += 1) hits += found[index] ?? 0;
      if (hits > best.hits) best = { at: start, hits };
    }
    return { at: best.at, size };
  };
}
