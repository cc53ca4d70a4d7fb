import { expect, it } from 'vitest';
import { fitWidths, windowOf } from './table-fit.ts';

it('shares out room in proportion, takes what is missing down to a least width, and leaves chosen widths alone', () => {
  const columns = [
    { key: 'a', width: 100, fixed: false },
    { key: 'b', width: 300, fixed: false },
    { key: 'c', width: 80, fixed: true },
  ];
  expect(fitWidths(columns, 880)).toEqual({ a: 200, b: 600, c: 80 });
  expect(fitWidths(columns, 430)).toEqual({ a: 87, b: 262, c: 80 });
  expect(fitWidths(columns, 100)).toEqual({ a: 75, b: 225, c: 80 });
  expect(fitWidths([{ key: 'a', width: 100, fixed: false, min: 90 }], 50)).toEqual({ a: 90 });
  expect(fitWidths([{ key: 'a', width: 100, fixed: true }], 300)).toEqual({ a: 300 });
});

it('keeps only the rows in view', () => {
  expect(windowOf(1000, 40, 4000, 600, 2)).toEqual({ first: 98, last: 117 });
  expect(windowOf(5, 40, 0, 600)).toEqual({ first: 0, last: 5 });
});
