import { planHeader, planText } from '@mooring/contract/app/entries-diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { against, digest, forms, names, now, old } from './app-diff.factory.ts';
import { applyDiff, bytesOf } from './apply-diff.ts';

/** Whoever stands between the server and a terminal. */
const offered = { fullSha256: digest(now), fullSize: now.length } as Parameters<typeof applyDiff>[2];

test.each(names)(
  'each byte of one of the form %s that is flipped is refused, or caught by its digest',
  { timeout: 600_000 },
  async (form) => {
    const bytes = forms[form](old, now);
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 0x40;
      const pieces: Uint8Array[] = [];
      const made = await applyDiff(bytesOf(old), bytesOf(flipped), offered, async (piece) => pieces.push(piece));
      // What a checksum ignores may be flipped; then it is the package all the same.
      if (made.ok) expect(digest(Buffer.concat(pieces))).toBe(digest(now));
      else expect(made.reason).toBe('baseWrong');
    }
  },
);

test('a plan that unpacks or packs to more than was signed is refused before it is written', async () => {
  const bomb = new Uint8Array(64 * 1024 * 1024);
  const plan = (size: number, runs: readonly (readonly [number, number, number])[]) =>
    planHeader(against(new Uint8Array(0), planText(size, runs)));
  const written: number[] = [];
  const apply = (diff: Uint8Array) =>
    applyDiff(bytesOf(old), bytesOf(Buffer.from(diff)), offered, async (piece) => written.push(piece.length));
  for (const diff of [
    Buffer.concat([plan(bomb.length, [[bomb.length, 0, 0]]), against(new Uint8Array(0), bomb)]),
    Buffer.concat([plan(100, [[100, 0, 0]]), against(new Uint8Array(0), bomb)]),
    Buffer.concat([plan(2 ** 40, [[2 ** 40, 0, 0]]), against(new Uint8Array(0), bomb)]),
    Buffer.concat([plan(10, [[10, 0, 12]]), against(new Uint8Array(0), bomb)]),
    planHeader(against(new Uint8Array(0), bomb)),
    planHeader(new Uint8Array(0)),
  ])
    expect(await apply(diff)).toMatchObject({ ok: false, reason: 'baseWrong' });
  expect(written).toEqual([]);
});

test('whatever comes in place of a difference, nothing else than the signed package ever comes out', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.constantFrom('plan', 'frames', 'none'), async (noise, head) => {
      const starts = { plan: [0x5c, 0x2a, 0x4d, 0x18], frames: [0x5d, 0x2a, 0x4d, 0x18], none: [] }[head];
      const made = await applyDiff(bytesOf(old), bytesOf(Buffer.from([...starts, ...noise])), offered, async () => undefined);
      expect(made.ok).toBe(false);
    }),
    { numRuns: 300 },
  ));
