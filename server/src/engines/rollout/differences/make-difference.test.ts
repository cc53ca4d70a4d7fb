import { createHash } from 'node:crypto';
import { type Bytes, FRAMED_FROM, frameHeader } from '@mooring/contract/device/diff-frames';
import { applyDiff, bytesOf } from '@mooring/terminal/apply-diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyDifference, makeDifference } from './make-difference.ts';

const MB = 1024 * 1024;

async function made(base: Bytes, full: Bytes, level?: number): Promise<{ diff: Buffer; frames: number }> {
  let diff = Buffer.alloc(0);
  const write = async (bytes: Uint8Array, at: number) => {
    const end = at + bytes.length;
    if (end > diff.length) diff = Buffer.concat([diff, Buffer.alloc(end - diff.length)]);
    diff.set(bytes, at);
  };
  const frames = await makeDifference(base, full, { write, ...(level ? { level } : {}) });
  return { diff, frames };
}
async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
const applied = (base: Buffer, diff: Buffer, size: number) => whole(applyDifference(bytesOf(base), bytesOf(diff), size));

/** Without pattern, the same each time. */
function noise(seed: number, length: number): Buffer {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = seed | 1;
  for (let at = 0; at < words.length; at += 1) {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x9e3779b9;
    words[at] = state ^ (state >>> 13);
  }
  return Buffer.from(words.buffer, 0, length);
}

const blocks = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 12 });
test('what is made of two images and applied to the one is the other', async () => {
  await fc.assert(
    fc.asyncProperty(blocks, blocks, fc.uint8Array({ maxLength: 300 }), async (ours, theirs, common) => {
      const base = Buffer.concat([...ours, common]);
      const full = Buffer.concat([common, ...theirs, ...ours.slice(0, 3)]);
      const { diff } = await made(bytesOf(base), bytesOf(full));
      expect((await applied(base, diff, full.length)).equals(full)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['both empty', 0, 0],
  ['an empty base', 0, 5000],
  ['an empty image', 5000, 0],
  ['a base of a few bytes', 3, 5000],
])('%s', async (_name, a, b) => {
  const [base, full] = [noise(1, a), noise(2, b)];
  const { diff, frames } = await made(bytesOf(base), bytesOf(full));
  expect(frames).toBe(0);
  expect((await applied(base, diff, b)).equals(full)).toBe(true);
});

test('of two equal images next to nothing is left', async () => {
  const same = noise(3, 2 * MB);
  const { diff } = await made(bytesOf(same), bytesOf(same));
  expect(diff.length).toBeLessThan(500);
  expect((await applied(same, diff, same.length)).equals(same)).toBe(true);
});

test('large images go in frames, each with the slice of the base that it is found in, and the terminal applies them', async () => {
  // What moved by 30 MB is beyond the slice of the same place.
  const parts = [noise(4, 30 * MB), noise(5, 30 * MB), noise(6, 4 * MB)] as const;
  const base = Buffer.concat([...parts]);
  const full = Buffer.concat([parts[1], noise(7, 1000), parts[0]]);
  expect(base.length).toBeGreaterThan(FRAMED_FROM);
  const reads: number[] = [];
  const watched: Bytes = {
    size: base.length,
    read: async (at, length) => {
      reads.push(length);
      return base.subarray(at, at + length);
    },
  };
  const { diff, frames } = await made(watched, bytesOf(full), 9);
  expect(frames).toBe(Math.ceil(full.length / (30 * MB)));
  expect(diff.length).toBeLessThan(100_000);
  const of = { fullSha256: createHash('sha256').update(full).digest('hex'), fullSize: full.length } as never;
  const got: Uint8Array[] = [];
  reads.length = 0;
  expect(await applyDiff(watched, bytesOf(diff), of, async (piece) => got.push(piece))).toEqual({ ok: true });
  expect(Buffer.concat(got).equals(full)).toBe(true);
  expect(Math.max(...reads, ...got.map((one) => one.length))).toBeLessThanOrEqual(30 * MB);
  // On another base it says so.
  const other = await applyDiff(bytesOf(noise(8, base.length)), bytesOf(diff), of, async () => {});
  expect(other).toMatchObject({ ok: false, reason: 'baseWrong' });
}, 60_000);

test('a base that begins like a trained dictionary is no obstacle', async () => {
  const base = Buffer.concat([Buffer.from([0x37, 0xa4, 0x30, 0xec]), noise(9, 100_000)]);
  const full = Buffer.concat([noise(10, 10), base]);
  const { diff, frames } = await made(bytesOf(base), bytesOf(full));
  expect(frames).toBe(1);
  expect(diff.length).toBeLessThan(1000);
  expect((await applied(base, diff, full.length)).equals(full)).toBe(true);
});

test.each([
  ['a frame that leads out of the base', [[90, 20, 10, 10]]],
  ['one that is longer than what is there', [[0, 10, 10, 999]]],
  ['one that makes more than the image', [[0, 10, 5000, 10]]],
  ['no numbers', [['a', 1, 2, 3]]],
])('refuses %s', async (_name, frames) => {
  const diff = Buffer.concat([frameHeader(frames as never), Buffer.alloc(10)]);
  await expect(applied(Buffer.alloc(100), diff, 100)).rejects.toThrow();
});
