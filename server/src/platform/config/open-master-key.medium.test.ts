import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, bench } from '../../modules/device/device.factory.ts';
import { openMasterKey } from './open-master-key.ts';

let plane: Bench;
beforeAll(async () => {
  plane = await bench();
});
afterAll(() => plane.stop());
const open = (MASTER_KEY?: string) => openMasterKey(plane.house.pools.owner, { MASTER_KEY, DATA_DIR: plane.dataDir });

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

test('a server whose outside broker is away comes up, and stops at once', async () => {
  const waiting = await bench({ MQTT_URL: 'mqtt://127.0.0.1:9' });
  expect((await fetch(`${waiting.server}/readyz`)).status).toBe(200);
  const begun = performance.now();
  await waiting.stop();
  expect(performance.now() - begun).toBeLessThan(5000);
});
