import { expect, test } from 'vitest';
import { defuse, fused } from './defuse.ts';
import { readCsv } from './read-csv.ts';

const read = (text: string, most = 10) => readCsv(Buffer.from(text), { rows: most, columns: 10 });

test.each([
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'a\tb\n1\t',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  [
    'a,b\n"x ""y"", z","two\nlines"',
    [
      ['a', 'b'],
      ['x "y", z', 'two\nlines'],
    ],
  ],
  ['a\n\n1', [['a'], [''], ['1']]],
  ['', []],
])('%j', (text, rows) => expect(read(text)).toEqual(rows));

test('what is broken, too long or in another encoding is refused', () => {
  expect(() => read('a,"b\n1,2')).toThrow('SHEET_BROKEN');
  expect(() => readCsv(Buffer.from([0xc9, 0xcc, 0xbb, 0xa7]), { rows: 10, columns: 10 })).toThrow('SHEET_BROKEN');
  expect(() => read('a\n'.repeat(11))).toThrow('SHEET_TOO_LARGE');
});

test.each(['+49 170', '=1+1', "'tis", 'plain', '-'])('%j goes out and comes back', (text) => expect(fused(defuse(text))).toBe(text));

test('more columns than a sheet may have are refused, and a cell of megabytes is read', () => {
  expect(() => read(','.repeat(11))).toThrow('SHEET_TOO_LARGE');
  const long = '""'.repeat(2_000_000);
  expect(read(`"${long}",b`)).toEqual([['"'.repeat(2_000_000), 'b']]);
});
