import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../suite/processes.ts';
import { completed, type LockFile, missingFromLock } from './lock-file.ts';

const committed = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;

test('the lock file names the optional packages of every machine, else npm ci refuses it (mend: node tools/run.mjs lock)', () => {
  expect(missingFromLock(committed())).toEqual([]);
});

const lock: LockFile = {
  packages: {
    '': {},
    'node_modules/a': { version: '1.0.0', dev: true, optionalDependencies: { 'a-linux-x64': '1.0.0', 'a-darwin-arm64': '1.0.0' } },
    'node_modules/a-linux-x64': { version: '1.0.0' },
    'node_modules/b/node_modules/a': { version: '2.0.0', optionalDependencies: { 'a-linux-x64': '2.0.0', 'a-linux-x64-musl': '2.0.0' } },
    'node_modules/b/node_modules/a-linux-x64': { version: '2.0.0' },
  },
};

test('a missing one is seen', () => {
  expect(missingFromLock(lock).map(({ by, name }) => `${by}: ${name}`)).toEqual([
    'node_modules/a: a-darwin-arm64',
    'node_modules/b/node_modules/a: a-linux-x64-musl',
  ]);
});

test('it is put beside its like, for its machine only', () => {
  const { packages } = completed(lock);
  expect(packages['node_modules/a-darwin-arm64']).toEqual({ version: '1.0.0', dev: true, optional: true, os: ['darwin'], cpu: ['arm64'] });
  expect(packages['node_modules/b/node_modules/a-linux-x64-musl']).toEqual({
    version: '2.0.0',
    optional: true,
    os: ['linux'],
    cpu: ['x64'],
    libc: ['musl'],
  });
  expect(missingFromLock({ packages })).toEqual([]);
});
