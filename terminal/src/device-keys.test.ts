import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { readDeviceKeys, seededDeviceKeys } from './device-keys.ts';

test('the same seed makes the same key, and every seed makes one that works', async () => {
  expect(seededDeviceKeys('1:A').privatePem).toBe(seededDeviceKeys('1:A').privatePem);
  // About four of a thousand keys begin with a zero byte.
  for (let seed = 0; seed < 1000; seed += 1) {
    const keys = seededDeviceKeys(`STORM:VSTORM-${String(seed).padStart(6, '0')}`);
    const signature = Buffer.from(keys.sign('text'), 'base64');
    expect(verify('sha256', Buffer.from('text'), createPublicKey(keys.privatePem), signature)).toBe(true);
  }
  expect(await seededDeviceKeys('STORM:VSTORM-000565').request('VSTORM-000565')).toContain('BEGIN CERTIFICATE REQUEST');
});

test('a key that was kept is the same key', () => {
  const keys = seededDeviceKeys('2:B');
  expect(readDeviceKeys(keys.privatePem).privatePem).toBe(keys.privatePem);
});
