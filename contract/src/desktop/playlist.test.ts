import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundOf, sharesOf } from './playlist.ts';

const weights = (...all: unknown[]) => all.map((weight) => ({ weight }));

test.each([
  ['of one weight play in their order', weights(1, 1, 1), [0, 1, 2]],
  ['of any one weight play once in a round', weights(40, 40, 40), [0, 1, 2]],
  ['from before there were weights play in their order', [{}, {}, {}], [0, 1, 2]],
  ['with weights that are none count once', weights('5', 0, 1.5, 101, null), [0, 1, 2, 3, 4]],
  ['of two weights are spread over the round', weights(3, 1), [0, 0, 1, 0]],
  ['of three weights are spread over the round', weights(5, 1, 1), [0, 0, 1, 0, 2, 0, 0]],
  ['that are alone play again and again', weights(7), [0]],
  ['that aren’t there play never', [], []],
])('items %s', (_name, items, order) => {
  expect(roundOf(items)).toEqual(order);
});

const some = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 20 });

test('whatever the weights are, a round shows each item in their proportion, and none is ever early or late by a whole turn of all', () => {
  fc.assert(
    fc.property(some, (all) => {
      const order = roundOf(weights(...all));
      const total = all.reduce((sum, one) => sum + one, 0);
      const shown = all.map(() => 0);
      let furthest = 0;
      for (const [at, item] of order.entries()) {
        shown[item] = (shown[item] ?? 0) + 1;
        for (const [one, count] of shown.entries()) furthest = Math.max(furthest, Math.abs(count - ((at + 1) * (all[one] ?? 0)) / total));
      }
      expect(furthest).toBeLessThan(all.length);
      expect(shown.map((count) => count * total)).toEqual(all.map((weight) => weight * order.length));
    }),
    { numRuns: 50 },
  );
});

test('the share of the time is seconds times weight; what has no time yet has no share', () => {
  expect(sharesOf([{ seconds: 10, weight: 4 }, { seconds: 30, weight: 1 }, { seconds: 30 }])).toEqual([0.4, 0.3, 0.3]);
  expect(sharesOf([{ seconds: 10 }, { seconds: null, weight: 5 }])).toEqual([1, 0]);
  expect(sharesOf([{}])).toEqual([0]);
});
