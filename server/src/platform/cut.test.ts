import { expect, test } from 'vitest';
import { cut } from './cut.ts';

test('a text is cut before a character that would be halved, and takes no half and no NUL along', () => {
  expect(cut('abc', 5)).toBe('abc');
  expect(cut('abcdef', 3)).toBe('abc');
  expect(cut('ab😀', 3)).toBe('ab');
  expect(cut('ab😀', 4)).toBe('ab😀');
  expect(cut('a\uD83D', 9)).toBe('a�');
  expect(cut('a\0b', 9)).toBe('a�b');
});
