import { expect, test } from 'vitest';
import { warningsBefore } from './warn-before.ts';

test.each([
  [61, Number.POSITIVE_INFINITY],
  [60.01, Number.POSITIVE_INFINITY],
  [60, 60],
  [30.5, 60],
  [30, 30],
  [8, 30],
  [7, 7],
  [0.1, 7],
])('with %d days left it is the warning of %d days', (left, due) => {
  expect(warningsBefore(60, 30, 7).dueAt(left)).toBe(due);
});
