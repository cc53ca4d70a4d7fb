import { expect, test } from 'vitest';
import { names } from './look-ups.ts';

test('a name that there is is asked for once, one that there isn’t is forgotten, and one that is too long for a name isn’t asked for', async () => {
  const asked: string[][] = [];
  const found = names(async (wanted) => {
    asked.push([...wanted]);
    return new Map([['north', 1]]);
  });
  await found.load(['North', 'NORTH', 'x'.repeat(65), undefined, '', 'Nowhere']);
  await found.load(['north', 'Nowhere']);
  expect(asked).toEqual([['North', 'NORTH', 'Nowhere'], ['Nowhere']]);
  expect([found.of('north'), found.of('Nowhere'), found.of('x'.repeat(65)), found.of(undefined)]).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ]);
});
