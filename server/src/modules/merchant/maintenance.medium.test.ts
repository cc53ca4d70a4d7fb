import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { maintenanceCalls } from '@mooring/contract/merchant/maintenance';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeFile, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { faultOf, makeMerchant, makeShop } from './merchant.factory.ts';

let app: TestApp;
let bank: DeptAt;
let other: DeptAt;
let engineer: Client;
let outsider: Client;
let productId: number;
const AT = '2026-05-04T09:30:00.000Z';
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  other = await app.dept('Other');
  engineer = await app.person('orgManager', bank);
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

let count = 0;
const terminal = async () => (await makeDevices(app, bank, productId, [`FIX${String(++count).padStart(5, '0')}`]))[0] ?? 0;
const picture = async (who: Client, kind = '1') => {
  const id = await makeFile(app, who, bank);
  await app.context.unscoped((db) => sql`update file_file set kind = ${kind} where id = ${id}`.execute(db));
  return id;
};
const add = async (more: object = {}) => engineer.call(maintenanceCalls.add, { deviceId: await terminal(), at: AT, ...more });

test('a record notes where the terminal stood, and stays with it when the terminal goes elsewhere', async () => {
  const merchant = await makeMerchant(engineer, bank.id);
  const shop = await makeShop(engineer, merchant.id);
  const deviceId = await terminal();
  await engineer.call(merchantCalls.assign, { of: { ids: [deviceId] }, merchantId: merchant.id, shopId: shop.id });
  const parts = [{ name: 'Printer roller', quantity: 2, price: '19.90' }];
  const made = await engineer.call(maintenanceCalls.add, { deviceId, at: AT, found: 'Paper jam', engineer: 'Jo', currency: '2', parts });
  expect(made).toMatchObject({
    kind: 'repair',
    state: 'open',
    at: AT,
    parts,
    currency: '2',
    photos: [],
    merchantName: merchant.name,
    shopName: shop.name,
    createdBy: expect.any(String),
    allowedActions: ['update', 'delete', 'finish'],
  });
  await engineer.call(merchantCalls.assign, { of: { ids: [deviceId] }, merchantId: null });
  expect(await engineer.call(maintenanceCalls.detail, { id: made.id })).toMatchObject({ merchantId: merchant.id });
  await engineer.call(merchantCalls.delete, { id: merchant.id });
  expect(await engineer.call(maintenanceCalls.detail, { id: made.id })).toMatchObject({
    merchantId: null,
    shopId: null,
    found: 'Paper jam',
  });
});

test('what is done stays as it was written, and is done once', async () => {
  const { id } = await add({ found: 'Dust' });
  const done = await engineer.call(maintenanceCalls.finish, { id });
  expect(done).toMatchObject({ state: 'done', allowedActions: ['delete'] });
  expect(await faultOf(engineer.send(maintenanceCalls.update, { id, at: AT, found: 'Nothing' }))).toBe('MAINTENANCE_DONE');
  expect(await faultOf(engineer.send(maintenanceCalls.finish, { id }))).toBe('OVERTAKEN');
  const { id: another } = await add();
  const both = [1, 2].map(() => engineer.send(maintenanceCalls.finish, { id: another }));
  expect((await Promise.all(both)).map(({ code }) => code).sort()).toEqual([200, 409]);
});

test('photos are one’s own pictures, at most nine, seen by whoever sees the record', async () => {
  const colleague = await app.person('orgManager', bank);
  const [one, two] = [await picture(engineer), await picture(engineer)];
  const record = await add({ photos: [one, two, one] });
  expect(record.photos).toEqual([one, two]);
  const reads = async (who: Client, id: number) => (await who.send(fileCalls.getSecurityToken, { id })).code;
  expect([await reads(colleague, one), await reads(outsider, one)]).toEqual([200, 404]);
  // A colleague keeps what hangs on it, and adds nothing that is another's.
  await colleague.call(maintenanceCalls.update, { id: record.id, at: AT, photos: [two] });
  expect(await reads(colleague, one)).toBe(404);
  const refused = (photos: number[]) => faultOf(colleague.send(maintenanceCalls.update, { id: record.id, at: AT, photos }));
  expect(await refused([one])).toBe('NOT_FOUND');
  expect(await refused([await picture(colleague, '8')])).toBe('FILE_KIND_REFUSED');
  expect(await refused(Array.from({ length: 10 }, (_, at) => at + 1))).toBe('BAD_INPUT');
  await engineer.call(maintenanceCalls.delete, { id: record.id });
  expect(await reads(colleague, two)).toBe(404);
});

test.each([
  [{ parts: [{ name: 'Roller', price: '123456789' }] }, 'parts.0.price'],
  [{ parts: [{ name: 'Roller', price: '1.234' }] }, 'parts.0.price'],
  [{ parts: [{ name: '', price: '1' }] }, 'parts.0.name'],
  [{ parts: [{ name: 'Roller', quantity: 0 }] }, 'parts.0.quantity'],
  [{ at: 'yesterday' }, 'at'],
  [{ currency: '3' }, 'currency'],
  [{ found: 'x'.repeat(1001) }, 'found'],
])('%j is refused', async (wrong, name) => {
  const { body } = await engineer.send(maintenanceCalls.add, { deviceId: await terminal(), at: AT, ...wrong });
  expect([body?.fault, Object.keys(body?.fields ?? {})]).toEqual(['BAD_INPUT', [name]]);
});

test('terminals of others and deleted ones have no work', async () => {
  const deviceId = await terminal();
  expect(await faultOf(outsider.send(maintenanceCalls.add, { deviceId, at: AT }))).toBe('NOT_FOUND');
  const record = await engineer.call(maintenanceCalls.add, { deviceId, at: AT });
  expect(await faultOf(outsider.send(maintenanceCalls.detail, { id: record.id }))).toBe('NOT_FOUND');
  await engineer.call(deviceCalls.disable, { of: { ids: [deviceId] } });
  await engineer.call(deviceCalls.delete, { of: { ids: [deviceId] } });
  expect(await faultOf(engineer.send(maintenanceCalls.add, { deviceId, at: AT }))).toBe('NOT_FOUND');
});

test('the list is filtered by what it shows, and goes out with its parts in words', async () => {
  const parts = [
    { name: 'Battery', quantity: 1, price: '25' },
    { name: 'Cable', quantity: 2, price: '0.5' },
  ];
  const record = await add({ engineer: 'Gulnara', kind: 'replacement', parts });
  const criteria = { text: 'gulnara', kind: 'replacement', state: 'open', deviceId: record.deviceId, at: { lessThanOrEqual: AT } } as const;
  expect((await engineer.call(maintenanceCalls.page, { criteria })).content.map(({ id }) => id)).toEqual([record.id]);
  const { work } = await engineer.call(maintenanceCalls.export, { criteria, format: 'csv', columns: ['sn', 'parts'] });
  await app.runJobs();
  const { url } = await engineer.call(backgroundJobCalls.download, { id: work });
  const [, row] = (await app.http.inject({ url: `/ops${url}` })).body.split('\r\n');
  expect(row).toBe(`${record.sn},1 × Battery 25; 2 × Cable 0.5; = 26.00`);
});
