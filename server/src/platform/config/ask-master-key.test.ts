import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
