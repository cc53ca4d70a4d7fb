import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-command-'));
  symlinkSync(join(import.meta.dirname, '../../packaging/mooring'), join(folder, 'mooring'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const run = (args: readonly string[], env: Record<string, string> = {}) => {
  const { PATH } = process.env;
  const ended = spawnSync(join(folder, 'mooring'), args, {
    encoding: 'utf8',
    env: { PATH, MOORING_ENV: join(folder, 'mooring.env'), ...env },
  });
  return { code: ended.status, out: ended.stdout, said: ended.stderr };
};

test('commands are there without npm, by the name under which they are typed', () => {
  expect(run(['--help'])).toMatchObject({ code: 0, out: expect.stringMatching(/^ {2}backup +Writes a backup/m), said: '' });
  expect(run(['backup', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('mooring backup <file>') });
});

test('settings of the service are read as systemd reads them, and what is set already counts more', () => {
  writeFileSync(join(folder, 'mooring.env'), '# a comment\nPORT="eighty"\nLOG_LEVEL=loud\nrm -rf=$(touch x)\nMASTER_KEY=\'short\'');
  const ended = run(['backup', 'x'], { LOG_LEVEL: 'info' });
  expect(ended.code).toBe(2);
  expect(ended.said).toMatch(/^PORT wants .*"eighty"\.\nMASTER_KEY wants .*\n.*operate\.md/);
});
