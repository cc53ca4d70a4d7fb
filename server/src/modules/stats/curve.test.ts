import { expect, test } from 'vitest';
import { curveOf } from './releases.ts';

const minute = 60_000;
const drawn = (now: number) =>
  curveOf(
    [minute, 2 * minute].map((at) => ({ at, good: true, n: 2 })),
    now,
  ).at(-1)?.succeeded;

test('a curve has all that ended: long ago, this very moment, and by a clock that is ahead', () => {
  expect([200, 2.5, 2, 1, 0].map((minutes) => drawn(minutes * minute))).toEqual([4, 4, 4, 4, 4]);
});
