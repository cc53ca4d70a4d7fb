import { Rings } from '@mooring/contract/engines/rollout/rings';
import { expect, test } from 'vitest';
import { allAtOnce, kindOf, ringAs, usualRings, withoutRing, withRing, wrongRing } from './ring-draft.ts';

test('what the editor makes is what the call takes', () => {
  for (const rings of [allAtOnce, usualRings, withRing(usualRings), withRing(withRing(usualRings)), withoutRing(usualRings, 0)])
    expect(Rings.safeParse(rings).success).toBe(true);
});

test('a ring for other terminals keeps its rules, and names nothing of before', () => {
  const strict = { share: 5, openAt: 100, haltAt: 10, waitForPerson: true };
  const tagged = ringAs(strict, 'tags');
  expect(tagged).toEqual({ share: 100, openAt: 100, haltAt: 10, waitForPerson: true, tags: [] });
  expect(kindOf(tagged)).toBe('tags');
  expect(ringAs(tagged, 'share')).toEqual({ ...strict, share: 10 });
});

test('what is wrong with a ring is said with its number', () => {
  const [first, second, last] = usualRings;
  if (!first || !second || !last) throw new Error('three rings');
  expect(wrongRing(usualRings)).toBeUndefined();
  expect(wrongRing([first, { ...second, openAt: 101 }, last])).toMatchObject({ ring: 2, words: { key: 'invalid.whole' } });
  expect(wrongRing([ringAs(first, 'tags'), second, last])).toEqual({ ring: 1, words: 'invalid.required' });
  expect(wrongRing([second, first, last])).toEqual({ ring: 2, words: 'invalid.ringShares' });
  expect(wrongRing([{ ...first, share: null }, second, last])).toEqual({ ring: 1, words: 'invalid.required' });
});

test('without all but one ring everything goes out at once', () => {
  expect(withoutRing(withoutRing(usualRings, 0), 0)).toBe(allAtOnce);
});

test('at most ten rings, the last of all, shares that grow', () => {
  const share = (...shares: number[]) => Rings.safeParse(shares.map((one) => ({ share: one })));
  const said = (made: ReturnType<typeof share>) => made.error?.issues.map((issue) => issue.message);
  expect(share(5, 25, 100).success).toBe(true);
  expect(said(share(5, 25))).toEqual(['invalid.lastRing']);
  expect(said(share(25, 25, 100))).toEqual(['invalid.ringShares']);
  expect(said(Rings.safeParse([{ tags: ['pilot'] }]))).toEqual(['invalid.lastRing']);
  expect(Rings.safeParse([{ tags: ['pilot'] }, { share: 100 }]).success).toBe(true);
  expect(share(...Array.from({ length: 11 }, (_, at) => at + 90)).success).toBe(false);
});
