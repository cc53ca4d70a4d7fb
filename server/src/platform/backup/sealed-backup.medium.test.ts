import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../../test/database.ts';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';
import { newBackupKey } from './sealed-backup.ts';

let folder: string;
let from: TestDatabase;
let into: TestDatabase;
const at = (name: string) => join(folder, name);
const now = new Date('2026-11-23T10:00:00Z');
const SECRET = 'the master key of this installation';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-sealed-'));
  mkdirSync(at('data/authority'), { recursive: true });
  mkdirSync(at('new'));
  writeFileSync(at('data/master.key'), SECRET);
  writeFileSync(at('data/big'), Buffer.alloc(3_000_000, 7));
  [from, into] = await Promise.all([testDatabase(), emptyDatabase()]);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([from.drop(), into.drop()]);
});

test('a backup for a public key is opened by its key alone, and says which one it needs', async () => {
  const [own, other] = [await newBackupKey(), await newBackupKey()];
  await backUp({ url: from.url, dataDir: at('data'), file: at('a.backup'), now, recipient: own.recipient });
  expect(readFileSync(at('a.backup')).includes(SECRET)).toBe(false);
  writeFileSync(at('own.key'), `# created: today\n${own.identity}\n`);
  writeFileSync(at('other.key'), other.identity);
  const into2 = { url: into.url, dataDir: at('new'), file: at('a.backup') };
  await expect(restore(into2)).rejects.toThrow(`is sealed for ${own.recipient}. Give the file with its key: --key <file>`);
  await expect(restore({ ...into2, key: at('other.key') })).rejects.toThrow(
    `holds the key of ${other.recipient}, and the backup is sealed for ${own.recipient}`,
  );
  expect(readdirSync(at('new'))).toEqual([]);
  await restore({ ...into2, key: at('own.key') });
  expect(readFileSync(at('new/master.key'), 'utf8')).toBe(SECRET);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('mooring-restore-'))).toEqual([]);
});

test('what was made for nobody is no recipient', async () => {
  const wanted = { url: from.url, dataDir: at('data'), file: at('a.backup'), now, recipient: 'age1nobody' };
  await expect(backUp(wanted)).rejects.toThrow('age1nobody is no public key of the age format');
  expect(readdirSync(folder).sort()).toEqual(['data', 'new']);
});

test('it is said what a backup holds, and what not', async () => {
  const first = await backUp({ url: from.url, dataDir: at('data'), file: at('a.backup'), now });
  expect(first.secrets).toEqual(['the master key']);
  writeFileSync(at('data/authority/device-root.key'), 'x');
  rmSync(at('data/master.key'));
  const second = await backUp({ url: from.url, dataDir: at('data'), file: at('b.backup'), now });
  expect(second.secrets).toEqual(['the roots of the device authority and of the release keys']);
});
