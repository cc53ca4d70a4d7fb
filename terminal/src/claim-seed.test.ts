import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claimSeed } from './claim-seed.ts';

const folder = mkdtempSync(join(tmpdir(), 'mooring-seeds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Above what systems give out. */
const NO_PROCESS = 2 ** 30;

test('a second fleet takes other terminals than the first, and the same again when that has ended', () => {
  const first = claimSeed(folder);
  const second = claimSeed(folder);
  expect([first?.seed, second?.seed]).toEqual(['1', '2']);
  first?.release();
  expect(claimSeed(folder)?.seed).toBe('1');
});

test('a seed that runs is refused, one whose process is gone is not', () => {
  const [named] = [claimSeed(folder, 'a/b')];
  expect(named?.seed).toBe('a/b');
  expect(claimSeed(folder, 'a/b')).toBeUndefined();
  writeFileSync(join(folder, 'gone.lock'), String(NO_PROCESS));
  expect(claimSeed(folder, 'gone')?.seed).toBe('gone');
  writeFileSync(join(folder, 'torn.lock'), '');
  expect(claimSeed(folder, 'torn')?.seed).toBe('torn');
});
