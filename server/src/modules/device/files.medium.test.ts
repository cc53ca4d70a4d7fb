import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { deviceCalls } from '@mooring/contract/device/calls';
import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCredential, makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import { fileUrl, makeFileToken } from '../../platform/gateway/file-token.ts';

let app: TestApp;
let url: string;
let sha256: string;
let deviceId: number;
const bytes = randomBytes(600_000);
const later = () => new Date(app.clock.now.getTime() + 60_000);

beforeAll(async () => {
  app = await testApp();
  ({ sha256 } = await diskStore(join(app.dataDir, 'blobs')).put(Readable.from([bytes])));
  const productId = await makeProduct(app, app.root);
  [deviceId = 0] = await makeDevices(app, app.root, productId, ['FILE-0001']);
  await makeCredential(app, deviceId);
  url = fileUrl(app.context.masterKey, { sn: 'FILE-0001', sha256, expiresAt: later() });
});
afterAll(() => app.stop());
const get = (headers: Record<string, string> = {}, path = url) => app.http.inject({ url: path, headers });

test('the bytes, whole and in parts, with their digest as ETag', async () => {
  const whole = await get();
  expect(whole.statusCode).toBe(200);
  expect(whole.headers).toMatchObject({ etag: `"${sha256}"`, 'accept-ranges': 'bytes', 'content-length': '600000' });
  expect(createHash('sha256').update(whole.rawPayload).digest('hex')).toBe(sha256);
  const part = await get({ range: 'bytes=599000-' });
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-range']).toBe('bytes 599000-599999/600000');
  expect(part.rawPayload.equals(bytes.subarray(599_000))).toBe(true);
  expect((await get({ range: 'bytes=600000-' })).statusCode).toBe(416);
  expect((await get({ 'if-none-match': `"${sha256}"` })).statusCode).toBe(304);
});

test('a resume against other bytes gets the whole', async () => {
  expect((await get({ range: 'bytes=10-', 'if-range': `"${sha256}"` })).statusCode).toBe(206);
  expect((await get({ range: 'bytes=10-', 'if-range': '"other"' })).statusCode).toBe(200);
});

test('a token that is wrong, over, or for what is not there', async () => {
  expect((await get({}, `${url}x`)).statusCode).toBe(403);
  expect((await get({}, '/d/files/..%2F..%2Fmaster.key')).statusCode).toBe(403);
  const over = makeFileToken(app.context.masterKey, { sn: 'FILE-0001', sha256, expiresAt: new Date(app.clock.now.getTime() - 1) });
  expect((await get({}, `/d/files/${over}`)).statusCode).toBe(410);
  const gone = makeFileToken(app.context.masterKey, { sn: 'FILE-0001', sha256: 'f'.repeat(64), expiresAt: later() });
  expect((await get({}, `/d/files/${gone}`)).statusCode).toBe(404);
});

test('its organisation’s download domain, or the nearest above, is where it is sent; a cache that asks for it is served', async () => {
  const admin = await app.person('platformAdmin', app.root, 'manager');
  const made = await admin.call(downloadDomainCalls.add, { name: 'Near', url: 'https://files.example.com', deptId: app.root.id });
  const sent = await get();
  expect([sent.statusCode, sent.headers.location]).toEqual([302, `https://files.example.com${url}?via=1`]);
  expect((await get({ range: 'bytes=0-9' }, `${url}?via=1`)).statusCode).toBe(206);
  await admin.call(downloadDomainCalls.delete, { id: made.id });
  expect((await get()).statusCode).toBe(200);
});

test('a link ends at once with its terminal: disabled, revoked or deleted', async () => {
  const admin = await app.person('platformAdmin', app.root);
  const change = (set: object) => app.context.unscoped((db) => db.updateTable('device').set(set).where('id', '=', deviceId).execute());
  expect((await get()).statusCode).toBe(200);
  await admin.call(deviceCalls.disable, { of: { ids: [deviceId] } });
  expect((await get()).statusCode).toBe(403);
  expect((await app.http.inject({ method: 'HEAD', url })).statusCode).toBe(403);
  await admin.call(deviceCalls.enable, { of: { ids: [deviceId] } });
  expect((await get()).statusCode).toBe(200);
  await change({ deleted_at: app.clock.now });
  expect((await get()).statusCode).toBe(403);
  await change({ deleted_at: null });
  await admin.call(deviceCalls.revoke, { id: deviceId });
  expect((await get()).statusCode).toBe(403);
});
