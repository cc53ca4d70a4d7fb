import { deviceCalls } from '@mooring/contract/device/calls';
import { DOUBLES_SHOWN } from '@mooring/contract/device/schemas';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('a terminal names those of the own range that report its IMEI or ICCID, and no one else’s', async () => {
  const [bank, rival] = [await app.dept('Bank'), await app.dept('Rival')];
  const product = await makeProduct(app, app.root, 'DOUBLE');
  const own = await makeDevices(app, bank, product, ['DOUB-0001', 'DOUB-0002', 'DOUB-0003', 'DOUB-0004', 'DOUB-0005']);
  const theirs = await makeDevices(app, rival, product, ['DOUB-0009']);
  const [one = 0, sameImei = 0, sameCard = 0, deleted = 0, bare = 0] = own;
  const put = (id: number, imei: string | null, iccid: string | null) =>
    app.context.unscoped((db) => sql`update device set imei = ${imei}, iccid = ${iccid} where id = ${id}`.execute(db));
  await put(one, '860000000000001', '8986000000000000000a');
  await put(sameImei, '860000000000001', null);
  await put(sameCard, '860000000000002', '8986000000000000000A');
  await put(deleted, '860000000000001', null);
  await put(theirs[0] ?? 0, '860000000000001', '8986000000000000000a');
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where id = ${deleted}`.execute(db));
  const banker = await app.person('orgManager', bank);
  const doubles = async (id: number) => (await banker.call(deviceCalls.detail, { id })).doubles;
  expect(await doubles(one)).toEqual([
    { id: sameImei, sn: 'DOUB-0002', imei: true, iccid: false },
    { id: sameCard, sn: 'DOUB-0003', imei: false, iccid: true },
  ]);
  expect(await doubles(sameCard)).toEqual([{ id: one, sn: 'DOUB-0001', imei: false, iccid: true }]);
  expect(await doubles(bare)).toEqual([]);
  const admin = await app.person('platformAdmin', app.root);
  expect((await admin.call(deviceCalls.detail, { id: one })).doubles.map(({ sn }) => sn)).toContain('DOUB-0009');
});

test('many that share one number hide none that share the other, and that there are more is told', async () => {
  const bank = await app.dept('Bank of doubles');
  const sns = Array.from({ length: 15 }, (_, at) => `MORE-${String(at).padStart(4, '0')}`);
  const [one = 0, ...others] = await makeDevices(app, bank, await makeProduct(app, app.root, 'MORE'), sns);
  await app.context.unscoped(async (db) => {
    await sql`update device set imei = '860000000000009' where id = any(${[one, ...others.slice(0, 12)]}::bigint[])`.execute(db);
    await sql`update device set iccid = '89860000000000000009' where id = any(${[one, ...others.slice(12)]}::bigint[])`.execute(db);
  });
  const { doubles } = await (await app.person('orgManager', bank)).call(deviceCalls.detail, { id: one });
  expect(doubles.filter(({ imei }) => imei)).toHaveLength(DOUBLES_SHOWN + 1);
  expect(doubles.filter(({ iccid }) => iccid).map(({ sn }) => sn)).toEqual(['MORE-0013', 'MORE-0014']);
});

test('what terminals without a modem say is no number', async () => {
  const bank = await app.dept('Bank without modems');
  const ids = await makeDevices(app, bank, await makeProduct(app, app.root, 'BARE'), ['BARE-0001', 'BARE-0002']);
  await app.context.unscoped((db) =>
    sql`update device set imei = '000000000000000', iccid = 'unknown' where id = any(${ids}::bigint[])`.execute(db),
  );
  expect((await (await app.person('orgManager', bank)).call(deviceCalls.detail, { id: ids[0] ?? 0 })).doubles).toEqual([]);
});
