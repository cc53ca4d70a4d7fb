import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../suite/processes.ts';
import { versionFault } from './release-version.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('a version is above the last release, and the changelog begins with it', () => {
  const changelog = '# Changelog\n\n## 0.10.0 (unreleased)\n\n- a\n\n## 0.9.0\n';
  expect(versionFault('0.10.0', '0.9.0', changelog)).toBeUndefined();
  expect(versionFault('0.9.0', '0.9.0', changelog)).toContain('isn’t above 0.9.0');
  expect(versionFault('0.2.11', '0.9.0', changelog)).toContain('isn’t above 0.9.0');
  expect(versionFault('0.11.0', '0.9.0', changelog)).toContain('begins with 0.10.0');
  expect(versionFault('1.0.0', '0.9.0', '# Changelog')).toContain('no version');
});

test('ours is, in every workspace', () => {
  const { version, workspaces } = JSON.parse(read('package.json')) as { version: string; workspaces: string[] };
  const last = (JSON.parse(read('database/last-release.json')) as { version: string }).version;
  expect(versionFault(version, last, read('CHANGELOG.md'))).toBeUndefined();
  expect(workspaces.filter((one) => (JSON.parse(read(join(one, 'package.json'))) as { version: string }).version !== version)).toEqual([]);
});
