import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStack, testStack } from '../../modules/device/device.factory.ts';
import { loadDeviceAuthority } from '../gateway/device-authority.ts';
import { openMasterKey } from './open-master-key.ts';
import { rotateMasterKey } from './rotate-master-key.ts';

let plane: TestStack;
beforeAll(async () => {
  plane = await testStack();
});
afterAll(() => plane.stop());
const open = (MASTER_KEY?: string) => openMasterKey(plane.app.pools.owner, { MASTER_KEY, DATA_DIR: plane.dataDir });

test('a key that isn’t the one of what is sealed is named, and nothing is made beside it', async () => {
  const file = join(plane.dataDir, 'master.key');
  await expect(open()).resolves.toBeDefined();
  await expect(open('another key, long enough')).rejects.toThrow(/^MASTER_KEY isn't the key with which/);
  renameSync(file, `${file}.away`);
  await expect(open(`base64:${readFileSync(`${file}.away`, 'utf8')}`)).resolves.toBeDefined();
  await expect(open()).rejects.toThrow(/^MASTER_KEY isn't set and .*master\.key is missing/);
  expect(existsSync(file)).toBe(false);
  renameSync(`${file}.away`, file);
});

test('the master key is replaced while the server runs: it goes on, the new one opens all, the old one nothing', async () => {
  const file = join(plane.dataDir, 'master.key');
  const old = readFileSync(file, 'utf8');
  const mark = plane.app.masterKey.seal('mark', Buffer.from('sealed before'));
  await rotateMasterKey(plane.app, undefined);
  expect(readFileSync(file, 'utf8')).not.toBe(old);
  // A version that doesn't know wrapped keys is told which one does.
  const floor = await plane.app.pools.owner.query('select migration, version from schema_floor');
  expect(floor.rows).toEqual([{ migration: '0092-installation-key', version: '0.2.0' }]);
  expect((await loadDeviceAuthority(plane.app)).issuer).toContain('CERTIFICATE');
  await expect(open(`base64:${old}`)).rejects.toThrow(/^MASTER_KEY isn't the key/);
  expect((await open()).open('mark', mark).toString()).toBe('sealed before');
  // Again, cut off before the file was put in its place.
  const second = readFileSync(file);
  await rotateMasterKey(plane.app, undefined);
  renameSync(file, `${file}.next`);
  writeFileSync(file, second);
  expect((await open()).open('mark', mark).toString()).toBe('sealed before');
  await plane.restart();
  expect(plane.app.masterKey.open('mark', mark).toString()).toBe('sealed before');
});

test('replaced by two at once, one after the other takes its turn: what stands in the file opens all', async () => {
  const mark = plane.app.masterKey.seal('mark', Buffer.from('sealed before'));
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([rotateMasterKey(plane.app, undefined), rotateMasterKey(plane.app, undefined)]);
    expect(existsSync(join(plane.dataDir, 'master.key.next'))).toBe(false);
    expect((await open()).open('mark', mark).toString()).toBe('sealed before');
  }
});

test('the key file is sealed with a passphrase at the next start, opens by it alone, and stays sealed when it is replaced', async () => {
  const file = join(plane.dataDir, 'master.key');
  const phrase = join(plane.dataDir, 'phrase');
  writeFileSync(phrase, 'correct horse battery staple\n');
  const mark = plane.app.masterKey.seal('mark', Buffer.from('sealed before'));
  const sealed = (name: string) =>
    openMasterKey(plane.app.pools.owner, { DATA_DIR: plane.dataDir, MASTER_KEY: undefined, MASTER_KEY_PASSPHRASE_FILE: name });
  const opens = async () => (await sealed(phrase)).open('mark', mark).toString();
  const lain = readFileSync(file, 'utf8');
  expect(await opens()).toBe('sealed before');
  expect(readFileSync(file, 'utf8')).not.toContain(lain);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await opens()).toBe('sealed before');
  await expect(open()).rejects.toThrow('set MASTER_KEY_PASSPHRASE_FILE');
  writeFileSync(`${phrase}.other`, 'another passphrase');
  await expect(sealed(`${phrase}.other`)).rejects.toThrow('holds another passphrase');
  writeFileSync(`${phrase}.other`, 'short');
  await expect(sealed(`${phrase}.other`)).rejects.toThrow('at least 12');
  const before = readFileSync(file, 'utf8');
  const { app } = plane;
  await rotateMasterKey({ ...app, config: { ...app.config, MASTER_KEY_PASSPHRASE_FILE: phrase } }, undefined);
  expect(readFileSync(file, 'utf8')).toMatch(/^scrypt:/);
  expect(readFileSync(file, 'utf8')).not.toBe(before);
  expect(await opens()).toBe('sealed before');
  await expect(open()).rejects.toThrow('set MASTER_KEY_PASSPHRASE_FILE');
});

test('a key from outside is replaced by one from outside', async () => {
  const outside = await testStack({ MASTER_KEY: 'the first key from outside' });
  try {
    await expect(rotateMasterKey(outside.app, undefined)).rejects.toThrow('set NEW_MASTER_KEY');
    await expect(rotateMasterKey(outside.app, 'short')).rejects.toThrow('at least 16');
    await rotateMasterKey(outside.app, 'the second key from outside');
    const from = (MASTER_KEY: string) => openMasterKey(outside.app.pools.owner, { MASTER_KEY, DATA_DIR: outside.dataDir });
    await expect(from('the first key from outside')).rejects.toThrow("isn't the key");
    await expect(from('the second key from outside')).resolves.toBeDefined();
  } finally {
    await outside.stop();
  }
});

test('a server whose outside broker is away comes up, and stops at once', async () => {
  const waiting = await testStack({ MQTT_URL: 'mqtt://127.0.0.1:9' });
  expect((await fetch(`${waiting.server}/readyz`)).status).toBe(200);
  const begun = performance.now();
  await waiting.stop();
  expect(performance.now() - begun).toBeLessThan(5000);
});
