import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCommandLine, usage } from '../../terminal/src/command-line.mjs';
import { commands } from './commands.mjs';

const root = join(import.meta.dirname, '..', '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

test('every npm script is a declared command', () => {
  for (const name of Object.keys(scripts)) expect(Object.keys(commands)).toContain(name);
});

describe('in a clone where nothing is installed', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mooring-commands-'));
    for (const part of ['tools/run.mjs', 'tools/setup', 'terminal/src', 'server/src/platform/config', 'package.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (name: string, args: readonly string[], env: Record<string, string> = {}) => {
    const { PATH } = process.env;
    const ended = spawnSync(process.execPath, [join(folder, 'tools/run.mjs'), name, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH, ...env },
    });
    return { code: ended.status, out: ended.stdout, said: ended.stderr };
  };

  test.each(Object.keys(commands))('%s says its help, refuses what it doesn’t know in one line, and writes nothing', (name) => {
    expect(run(name, ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining(`npm run ${name} --`), said: '' });
    const wrong = run(name, ['--nope']);
    expect([wrong.code, wrong.out, wrong.said.split('\n').length]).toEqual([2, '', 2]);
    expect(wrong.said).toContain("Unknown option '--nope'");
    expect(readdirSync(folder).sort()).toEqual(['package.json', 'server', 'terminal', 'tools']);
  });
});

test.each(Object.entries(commands).filter(([, { installation }]) => installation))(
  'npm run %s checks its settings before anything else',
  (name) => {
    const { least = 0, among } = commands[name] ?? expect.fail();
    const needed = name === 'token' ? ['--for', 'a', '--scopes', 'b'] : Array.from({ length: least }, () => among?.[0] ?? 'x');
    const ended = spawnSync(process.execPath, [join(root, 'tools/run.mjs'), name, ...needed], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, DATABASE_URL: 'foo', PORT: 'x' },
    });
    expect([ended.status, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(/^PORT wants .*\nDATABASE_URL wants .*\n.*operate\.md.*\n$/);
  },
);

test('a number, a choice and what stands behind a command are checked by their names', () => {
  const fleet = commands.fleet ?? expect.fail();
  expect(readCommandLine(fleet, ['--count', 'abc'])).toEqual({ wrong: '--count wants a whole number, not "abc".' });
  expect(readCommandLine(fleet, ['--over', 'wire'])).toEqual({ wrong: '--over wants one of tls, token, not "wire".' });
  expect(readCommandLine(fleet, ['fifty'])).toEqual({ wrong: '"fifty" is one too many.' });
  expect(readCommandLine(fleet, ['--count', '3', '--quiet'])).toMatchObject({
    values: { count: '3', product: 'A920' },
    on: new Set(['quiet']),
  });
  const rotate = commands['rotate-keys'] ?? expect.fail();
  expect(readCommandLine(rotate, [])).toEqual({ wrong: 'issuer|release|master … is missing.' });
  expect(readCommandLine(rotate, ['root'])).toEqual({ wrong: 'Unknown: root. There are issuer, release, master.' });
  const start = commands.start ?? expect.fail();
  expect(readCommandLine(start, ['--services=http,mail'])).toEqual({
    wrong: '--services wants some of http, worker, gateway, broker, not "mail".',
  });
  expect(usage('npm run fleet --', fleet)).toContain('--count N');
});
