import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askMasterKey } from './ask-master-key.ts';
import { readConfig } from './config.ts';

test('the command is run once, and what it prints is the key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-key-'));
  const env = { MASTER_KEY_COMMAND: `echo x >>${folder}/runs; echo 'a key of enough characters'` };
  expect(readConfig(env, []).MASTER_KEY).toBe('a key of enough characters');
  expect(readConfig(env, []).MASTER_KEY).toBe('a key of enough characters');
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('x\n');
  rmSync(folder, { recursive: true });
});

test('one that fails, or prints too little, is said by its name, and a key beside it is refused', () => {
  expect(() => askMasterKey('exit 3')).toThrow('MASTER_KEY_COMMAND failed: exit code 3.');
  expect(() => askMasterKey('echo short')).toThrow('MASTER_KEY_COMMAND printed 5 characters; a master key has at least 16.');
  expect(() => readConfig({ MASTER_KEY: 'a key of enough characters', MASTER_KEY_COMMAND: 'true' }, [])).toThrow(
    'MASTER_KEY and MASTER_KEY_COMMAND exclude each other.',
  );
});

test('the command for two custodians in the manual gives one key of both halves, and none of one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-halves-'));
  const manual = readFileSync(join(import.meta.dirname, '../../../../docs/operate.md'), 'utf8');
  const said = /^MASTER_KEY_COMMAND='(.*half-1.*)'$/m.exec(manual)?.[1] ?? '';
  const command = said.replaceAll('/run/mooring', folder);
  expect(command).not.toBe(said);
  const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];
  writeFileSync(join(folder, 'half-1'), `${first}\n`);
  for (const missing of [undefined, '']) {
    if (missing !== undefined) writeFileSync(join(folder, 'half-2'), missing);
    expect(() => askMasterKey(command)).toThrow('MASTER_KEY_COMMAND failed: exit code 1.');
  }
  writeFileSync(join(folder, 'half-2'), `${second}\n`);
  expect(askMasterKey(command)).toBe(createHash('sha256').update(`${first}\n${second}\n`).digest('hex'));
  rmSync(folder, { recursive: true });
});
