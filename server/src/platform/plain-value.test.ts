import { expect, test } from 'vitest';
import { noTextAt, tooDeep } from './plain-value.ts';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

test('twelve levels are enough for anybody', () => {
  expect([nested(12), nested(13), nested(5000), { a: { b: 1 } }, null, 'x'].map((one) => tooDeep(one))).toEqual([
    false,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test.each([
  ['plain', undefined],
  [{ name: 'a\0b' }, 'name'],
  [{ list: ['ok', '\ud800'] }, 'list.1'],
  [{ 'k\0': 1 }, ''],
  [{ pair: '\ud83d\ude00', n: 1, none: null }, undefined],
])('what is no text in %j stands at %s', (value, at) => {
  expect(noTextAt(value)).toBe(at);
});
