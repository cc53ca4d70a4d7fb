import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireDataDir, dataDirHolder } from './data-dir.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'mooring-data-')), 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that holds the folder until it is killed. */
async function holder() {
  const script = `const { acquireDataDir } = await import(${JSON.stringify(join(import.meta.dirname, 'data-dir.ts'))}); acquireDataDir(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

test('the folder is closed to others, and free again after its release', () => {
  const dir = acquireDataDir(folder, 0);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(dataDirHolder(folder)).toBe(process.pid);
  dir.release();
  expect(dataDirHolder(folder)).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder is fresh until something of the server stands in it, whatever key was put there before', () => {
  const first = acquireDataDir(folder, 0);
  expect(first.isFresh).toBe(true);
  first.release();
  writeFileSync(join(folder, 'master.key'), 'x');
  const second = acquireDataDir(folder, 0);
  expect(second.isFresh).toBe(true);
  second.release();
  writeFileSync(join(folder, 'audit-tip.json'), 'x');
  const third = acquireDataDir(folder, 0);
  expect(third.isFresh).toBe(false);
  third.release();
});

test('a second start names the process that holds the folder, and leaves it alone', async () => {
  const child = await holder();
  try {
    expect(() => acquireDataDir(folder, 0)).toThrow(`is in use by process ${child.pid}`);
    expect(dataDirHolder(folder)).toBe(child.pid);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

test('the lock of a killed process is taken over', async () => {
  const child = await holder();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(dataDirHolder(folder)).toBeUndefined();
  acquireDataDir(folder, 0).release();
});

test('a lock whose pid another process has by now is taken over', () => {
  acquireDataDir(folder, 0).release();
  writeFileSync(join(folder, 'mooring.lock'), JSON.stringify({ pid: 1, born: 'another boot' }));
  expect(dataDirHolder(folder)).toBeUndefined();
  acquireDataDir(folder, 0).release();
});

test('a holder that ends within the patience is waited for', async () => {
  const child = await holder();
  setImmediate(() => child.kill('SIGKILL'));
  await new Promise(setImmediate);
  acquireDataDir(folder, 5000).release();
});
