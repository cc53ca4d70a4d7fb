import { expect, test } from 'vitest';
import { noteWeight, weightOf } from './scope-weight.ts';

test('a scope has the weight of what was seen in it; before that its depth tells', () => {
  expect([weightOf('1.'), weightOf('1.2.'), weightOf('1.2.31.')]).toEqual(['heavy', 'heavy', 'light']);
  noteWeight('1.2.31.', 10_000);
  noteWeight('1.2.', 12);
  expect([weightOf('1.2.31.'), weightOf('1.2.'), weightOf('1.2.32.')]).toEqual(['middle', 'light', 'light']);
  noteWeight('1.2.31.', 900_000);
  expect(weightOf('1.2.31.')).toBe('heavy');
});
