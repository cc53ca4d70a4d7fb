import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../suite/processes.ts';
import { lostAttacks } from './attacks.ts';

test('every attack of the page has its tests', () => {
  const page = readFileSync(join(root, 'docs', 'attacks.md'), 'utf8');
  expect(page.split('\n').filter((line) => line.startsWith('| ')).length).toBeGreaterThan(25);
  expect(lostAttacks(page, (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined))).toEqual([]);
});

test('a test that is gone, a file that is gone and a line without a test are seen', () => {
  const read = (path: string) => (path === 'a.test.ts' ? "test('is refused')" : undefined);
  expect(lostAttacks('| One | `a.test.ts` “is refused” |', read)).toEqual([]);
  expect(lostAttacks('| One | `a.test.ts` “is refused”, “is kept” |\n| Two | `b.test.ts` “x” |\n| Three | `a.test.ts` |', read)).toEqual([
    'a.test.ts: is kept',
    'b.test.ts: x',
    'no test: | Three | `a.test.ts` |',
  ]);
});
