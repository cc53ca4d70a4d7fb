import { expect, test } from 'vitest';
import { defuse, fused } from './defuse.ts';
import { readCsv } from './read-csv.ts';

const read = (text: string, most = 10) => readCsv(Buffer.from(text), most);

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
  expect(() => readCsv(Buffer.from([0xc9, 0xcc, 0xbb, 0xa7]), 10)).toThrow('SHEET_BROKEN');
  expect(() => read('a\n'.repeat(11))).toThrow('SHEET_TOO_LARGE');
});

test.each(['+49 170', '=1+1', "'tis", 'plain', '-'])('%j goes out and comes back', (text) => expect(fused(defuse(text))).toBe(text));
