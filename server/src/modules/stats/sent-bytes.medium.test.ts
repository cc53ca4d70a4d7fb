import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { statisticCalls } from '@mooring/contract/stats/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCredential, makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { diskStore } from '../../platform/files/disk-store.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import { countSentBytes } from './sent-bytes.ts';
import { clockwork } from './stats.factory.ts';

const SIZE = 600_000;
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());
const { fold } = clockwork(() => app);

test('what terminals fetched is counted by day: whole files and parts, no head, nothing twice', async () => {
  const { sha256 } = await diskStore(join(app.dataDir, 'blobs')).put(Readable.from([randomBytes(SIZE)]));
  const [id = 0] = await makeDevices(app, app.root, await makeProduct(app, app.root), ['BYTES-01']);
  await makeCredential(app, id);
  const url = fileUrl(app.context.masterKey, { sn: 'BYTES-01', sha256, expiresAt: new Date(app.clock.now.getTime() + 60_000) });
  const get = (headers = {}, method: 'GET' | 'HEAD' = 'GET') => app.http.inject({ url, headers, method });
  const whole = await get();
  await get({ range: 'bytes=599000-' });
  await get({ 'if-none-match': whole.headers.etag as string });
  await get({}, 'HEAD');
  const admin = await app.person('platformAdmin', app.root);
  const trend = () => admin.call(statisticCalls.trend, { measure: 'bytes' });
  await expect.poll(async () => (await trend()).totalSummary.cnt).toBe(SIZE + 1000);
  await fold();
  expect((await trend()).totalSummary.cnt).toBe(SIZE + 1000);
});

test('what another server sends is counted by the size of its file, from where it goes on', async () => {
  const admin = await app.person('platformAdmin', app.root);
  await app.context.unscoped((db) =>
    db
      .insertInto('file_file')
      .values({ kind: '5', name: 'x', size: 5000, sha256: 'b'.repeat(64), md5: '', user_id: null, dept_path: '1.' })
      .execute(),
  );
  const sent = countSentBytes(app.context);
  sent.handedOn('BYTES-01', 'b'.repeat(64), 0);
  sent.handedOn('BYTES-01', 'b'.repeat(64), 4000);
  sent.handedOn('NOBODY', 'b'.repeat(64), 0);
  await sent.flush();
  expect((await admin.call(statisticCalls.trend, { measure: 'bytes' })).totalSummary.cnt).toBe(SIZE + 1000 + 6000);
});
