import { expect, test } from 'vitest';
import { largeFaults, trackedFiles } from './large-files.ts';

test('no file of the project is larger than a megabyte, but those with a reason', () => {
  const files = trackedFiles();
  expect(files.length).toBeGreaterThan(1000);
  expect(largeFaults(files)).toEqual([]);
});

test('a byte too many is seen, and a reason that is none any more', () => {
  const allowed = { 'docs/long.json': 'lists every call' };
  const files = [
    { path: 'tool.deb', bytes: 1024 ** 2 + 1 },
    { path: 'picture.png', bytes: 1024 ** 2 },
    { path: 'docs/long.json', bytes: 2 * 1024 ** 2 },
  ];
  expect(largeFaults(files, allowed)).toEqual(['tool.deb has 1048577 bytes; 1048576 are the most']);
  expect(largeFaults(files.slice(1, 2), allowed)).toEqual(['docs/long.json is said to be large, and is not']);
});
