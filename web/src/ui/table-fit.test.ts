import { expect, it } from 'vitest';
import { fitWidths, windowOf } from './table-fit.ts';

it('shares out room in proportion, and leaves chosen widths alone', () => {
  const columns = [
    { key: 'a', width: 100, fixed: false },
    { key: 'b', width: 300, fixed: false },
    { key: 'c', width: 80, fixed: true },
  ];
  expect(fitWidths(columns, 880)).toEqual({ a: 200, b: 600, c: 80 });
  expect(fitWidths(columns, 100)).toEqual({ a: 100, b: 300, c: 80 });
  expect(fitWidths([{ key: 'a', width: 100, fixed: true }], 300)).toEqual({ a: 300 });
});

it('keeps only the rows in view', () => {
  expect(windowOf(1000, 40, 4000, 600, 2)).toEqual({ first: 98, last: 117 });
  expect(windowOf(5, 40, 0, 600)).toEqual({ first: 0, last: 5 });
});
