import { expect, test } from 'vitest';
import { dangerOf } from './dangerous-permissions.ts';
import { packageChanges } from './version-changes.ts';

const said = (permissions: string[], more: object = {}) => ({ permissions, features: [], abis: [], ...more });

test('dangerous permissions stand by themselves, and what is new, gone and kept is told apart', () => {
  const before = said(['android.permission.INTERNET', 'android.permission.READ_SMS'], { abis: ['arm64-v8a'] });
  const now = said(['android.permission.CAMERA', 'android.permission.INTERNET', 'com.maker.permission.PRINT'], { abis: ['armeabi-v7a'] });
  expect(packageChanges(before, now)).toEqual({
    dangerous: { added: ['android.permission.CAMERA'], removed: ['android.permission.READ_SMS'], same: [] },
    permissions: { added: ['com.maker.permission.PRINT'], removed: [], same: ['android.permission.INTERNET'] },
    features: { added: [], removed: [], same: [] },
    abis: { added: ['armeabi-v7a'], removed: ['arm64-v8a'], same: [] },
  });
});

test('of a first version everything is new', () => {
  expect(packageChanges(undefined, said(['android.permission.SEND_SMS'])).dangerous.added).toEqual(['android.permission.SEND_SMS']);
});

test.each([
  ['android.permission.CAMERA', 'CAMERA'],
  ['com.android.voicemail.permission.ADD_VOICEMAIL', 'ADD_VOICEMAIL'],
  ['android.permission.health.READ_HEART_RATE', 'HEALTH'],
  ['android.permission.REQUEST_INSTALL_PACKAGES', 'REQUEST_INSTALL_PACKAGES'],
  ['android.permission.healthy', undefined],
  ['CAMERA', undefined],
  ['com.maker.permission.CAMERA', undefined],
  ['android.permission.INTERNET', undefined],
])('%s is dangerous as %s', (permission, as) => expect(dangerOf(permission)).toBe(as));
