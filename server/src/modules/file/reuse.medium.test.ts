import { Readable } from 'node:stream';
import { fileCalls } from '@mooring/contract/file/calls';
import { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { listVersion } from '../app/catalogue.factory.ts';

let app: TestApp;
let bank = { id: 0, path: '' };
let other = { id: 0, path: '' };
let maker: Client;
let colleague: Client;
let outsider: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  other = await app.dept('Other');
  maker = await app.person('orgManager', bank);
  colleague = await app.person('orgManager', bank);
  outsider = await app.person('orgManager', other);
});
afterAll(() => app.stop());

/** A stored file of somebody, with its bytes. */
async function stored(by: Client, kind: string, content: string): Promise<number> {
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(Readable.from([Buffer.from(content)]));
  const values = { kind, name: 'pay.apk', size, sha256, md5, user_id: by.userId, dept_path: bank.path, created_at: app.clock.now };
  return app.context.unscoped(async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id);
}
const faultOf = async (by: Client, id: number) => (await by.send(fileCalls.reuse, { id })).body?.fault;

test('a package of the catalogue is taken as an upload of one’s own, once, by who may have it', async () => {
  const productId = await makeProduct(app, app.root, 'A920');
  const fileId = await stored(maker, '4', 'the package of a version');
  const versionId = await listVersion(app, maker, { at: bank, packageName: 'com.acme.pay', code: 1, products: [productId] });
  await app.context.unscoped((db) => sql`update app_version set file_id = ${fileId} where id = ${versionId}`.execute(db));
  expect((await maker.call(fileCalls.reuse, { id: fileId })).id).toBe(fileId);
  const taken = await colleague.call(fileCalls.reuse, { id: fileId });
  expect(taken).toMatchObject({ fileName: 'pay.apk', fileType: '4' });
  expect(taken.id).not.toBe(fileId);
  expect((await colleague.call(fileCalls.reuse, { id: fileId })).id).toBe(taken.id);
  expect((await colleague.call(fileCalls.reuse, { id: taken.id })).id).toBe(taken.id);
  expect(await faultOf(outsider, fileId)).toBe('NOT_FOUND');
  expect(await faultOf(maker, taken.id)).toBe('NOT_FOUND');
});

test('nothing but packages is taken along, and nothing beyond a quota', async () => {
  expect(await faultOf(maker, await stored(maker, '8', 'a note'))).toBe('FILE_KIND_REFUSED');
  const steward = await app.person('platformAdmin', app.root, 'manager');
  const fileId = await stored(maker, '4', 'another package');
  await app.context.unscoped((db) => sql`update app_version set file_id = ${fileId} where package_name = 'com.acme.pay'`.execute(db));
  await steward.call(uploadMonitorCalls.quota, { deptId: bank.id, gigabytes: 0 });
  expect(await faultOf(colleague, fileId)).toBe('STORAGE_QUOTA');
});
