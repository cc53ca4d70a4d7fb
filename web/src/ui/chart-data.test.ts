import { expect, it } from 'vitest';
import { isBlank, toCsv } from './chart-data.ts';

it('writes its numbers for a spreadsheet, with formulas defused', () => {
  const data = { categories: ['2026-01-01', '=1+1', 'a,"b"'], series: [{ key: 's', name: 'Success', values: [1, null, -3] }] };
  expect(toCsv(data, 'Day')).toBe('\uFEFFDay,Success\r\n2026-01-01,1\r\n\'=1+1,\r\n"a,""b""",-3\r\n');
});

it('knows when there is nothing to draw', () => {
  expect([
    isBlank({ categories: [], series: [] }),
    isBlank({ categories: ['a'], series: [{ key: 's', name: 's', values: [0] }] }),
    isBlank({ categories: ['a'], series: [{ key: 's', name: 's', values: [2] }] }),
  ]).toEqual([true, true, false]);
});
