import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { byLength, long } from './longest-first.ts';
import { root } from './processes.ts';

test('the long ones are there', () => {
  expect(long.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('they come first, in their order, and the others stay as they are', () => {
  const [first = '', second = ''] = long;
  const files = ['z.test.ts', second, 'a.test.ts', first].map((path) => ({ moduleId: `/clone/${path}` }));
  expect(byLength(files).map(({ moduleId }) => moduleId.slice('/clone/'.length))).toEqual([first, second, 'z.test.ts', 'a.test.ts']);
});
