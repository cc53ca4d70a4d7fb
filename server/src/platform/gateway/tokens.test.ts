import { expect, test } from 'vitest';
import { masterKey } from '../config/master-key.ts';
import { makeDeviceToken, readDeviceToken } from './device-token.ts';
import { makeFileToken, readFileToken } from './file-token.ts';

const key = masterKey(Buffer.from('a secret of the installation'));
const other = masterKey(Buffer.from('another secret'));
const expiresAt = new Date('2026-11-21T12:00:00Z');
const before = new Date('2026-11-21T11:59:59Z');
const sha256 = 'a'.repeat(64);

test('a device token names its device until it ends', () => {
  const token = makeDeviceToken(key, { sn: 'A-1234', gen: 3, expiresAt });
  expect(readDeviceToken(key, token, before)).toEqual({ sn: 'A-1234', gen: 3, expiresAt });
  expect(readDeviceToken(key, token, expiresAt)).toBeUndefined();
  expect(readDeviceToken(other, token, before)).toBeUndefined();
  expect(readDeviceToken(key, token.replace('A-1234', 'B-1234'), before)).toBeUndefined();
  expect(readDeviceToken(key, token.replace('.3.', '.4.'), before)).toBeUndefined();
  expect(readDeviceToken(key, '', before)).toBeUndefined();
});

test('a file token is for one device and one file, and tells wrong from expired', () => {
  const token = makeFileToken(key, { sn: 'A-1234', sha256, expiresAt });
  expect(readFileToken(key, token, before)).toEqual({ sn: 'A-1234', sha256, expiresAt });
  expect(readFileToken(key, token, expiresAt)).toBe('expired');
  expect(readFileToken(other, token, before)).toBe('wrong');
  expect(readFileToken(key, `x${token}`, before)).toBe('wrong');
  expect(readFileToken(key, '../../etc/passwd', before)).toBe('wrong');
});

test('one does not stand in for the other', () => {
  expect(readFileToken(key, makeDeviceToken(key, { sn: 'A-1234', gen: 0, expiresAt }), before)).toBe('wrong');
});
