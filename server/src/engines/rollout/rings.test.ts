import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutsOf } from './rings.ts';

const counts = (shares: number[], n: number) => cutsOf(shares, n).map((cut, at, cuts) => cut - (cuts[at - 1] ?? 0));

test.each([
  [[25, 50, 100], 8, [2, 2, 4]],
  [[5, 25, 100], 8, [1, 1, 6]],
  [[5, 25, 100], 1204, [60, 241, 903]],
  [[1, 2, 3, 100], 3, [1, 1, 1, 0]],
  [[50, 100], 1, [1, 0]],
  [[50, 100], 0, [0, 0]],
])('shares %j of %i terminals are rings of %j', (shares, n, rings) => {
  expect(counts(shares, n)).toEqual(rings);
});

test('rings hold all terminals, none is empty while there are enough, and none is further from its share than the others need', () => {
  const shares = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 9 }).map((some) => [...some.sort((a, b) => a - b), 100]);
  fc.assert(
    fc.property(shares, fc.integer({ min: 0, max: 5000 }), (some, n) => {
      const rings = counts(some, n);
      expect(rings.reduce((sum, one) => sum + one, 0)).toBe(n);
      expect(rings.filter((one) => one === 0).length).toBe(Math.max(0, some.length - n));
      for (const [at, cut] of cutsOf(some, n).entries()) expect(Math.abs(cut - ((some[at] ?? 0) * n) / 100)).toBeLessThan(some.length + 1);
    }),
  );
});
