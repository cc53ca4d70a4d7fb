import { expect, test } from 'vitest';
import { isWeighed, noteWeight, weightOf } from './scope-weight.ts';

test('a scope has the weight of what was seen in it; before that its depth tells', () => {
  expect([weightOf('1.'), weightOf('1.2.'), weightOf('1.2.31.')]).toEqual(['heavy', 'heavy', 'light']);
  expect(isWeighed('1.2.31.')).toBe(false);
  noteWeight('1.2.31.', 10_000);
  expect(isWeighed('1.2.31.')).toBe(true);
  noteWeight('1.2.', 12);
  expect([weightOf('1.2.31.'), weightOf('1.2.'), weightOf('1.2.32.')]).toEqual(['middle', 'light', 'light']);
  noteWeight('1.2.31.', 900_000);
  expect(weightOf('1.2.31.')).toBe('heavy');
});
