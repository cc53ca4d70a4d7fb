import { expect, test } from 'vitest';
import { cutTo, NAME_MOST, numbered } from './numbered.ts';

const long = 'x'.repeat(NAME_MOST);
test.each([
  ['the first bears its name as it is', { name: long, number: 1 }, long],
  ['a draft too', { name: long, number: null }, long],
  ['another one its number', { name: 'Till', number: 2 }, 'Till · 2'],
  ['cut only as far as the number needs it', { name: 'x'.repeat(60), number: 2 }, `${'x'.repeat(60)} · 2`],
  ['as long as a name may be', { name: long, number: 12 }, `${'x'.repeat(59)} · 12`],
  ['never through a character', { name: '🛒'.repeat(32), number: 12 }, `${'🛒'.repeat(29)} · 12`],
])('of the versions of one name %s', (_what, version, words) => {
  const told = numbered(version);
  expect(told).toBe(words);
  expect(told.length).toBeLessThanOrEqual(NAME_MOST);
  expect(told.isWellFormed()).toBe(true);
});

test('what is cut to a length is well-formed', () => {
  expect(cutTo('a🛒', 2)).toBe('a');
  expect(cutTo('a🛒', 3)).toBe('a🛒');
});
