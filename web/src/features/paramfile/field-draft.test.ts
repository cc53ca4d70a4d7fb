import { expect, test } from 'vitest';
import { asType, moved, newField, problemsOf } from './field-draft.ts';

test('what is wrong stands at its own parameter', () => {
  const rows = [
    { ...newField, key: 'a' },
    { ...newField, key: 'a', pattern: '(' },
    { ...newField, key: 'b', type: 'choice' as const, choices: [] },
    newField,
  ];
  expect(problemsOf(rows)).toEqual([
    {},
    { key: 'invalid.keyTwice', pattern: 'invalid.pattern' },
    { choices: 'invalid.required' },
    { key: 'invalid.required' },
  ]);
});

test('another type begins without the rules of the one before', () => {
  expect(asType({ ...newField, key: 'a', required: true, pattern: 'x', default: 'x' }, 'number')).toEqual({
    key: 'a',
    label: '',
    required: true,
    type: 'number',
  });
});

test.each([
  [0, 2, ['b', 'c', 'a']],
  [2, 0, ['c', 'a', 'b']],
  [1, 1, ['a', 'b', 'c']],
])('%i goes to %i', (from, to, rows) => {
  expect(moved(['a', 'b', 'c'], from, to)).toEqual(rows);
});
