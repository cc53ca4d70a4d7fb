import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { shopCalls } from '@mooring/contract/merchant/shop';
import { deptCalls } from '@mooring/contract/org/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { faultOf, makeMerchant, makeShop } from './merchant.factory.ts';

let app: TestApp;
let admin: Client;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  const line = { id: 2, path: '1.2.' };
  bank = await app.dept('Bank', line);
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other', line);
  ofBank = await app.person('orgManager', bank);
  ofBranch = await app.person('orgManager', branch);
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

let count = 0;
const terminal = async (owner: DeptAt) => (await makeDevices(app, owner, productId, [`MER${String(++count).padStart(5, '0')}`]))[0] ?? 0;
const placeOf = async (id: number) => {
  const { merchantId, merchantName, shopId, shopName } = await admin.call(deviceCalls.detail, { id });
  return [merchantId, merchantName, shopId, shopName];
};
const assign = (who: Client, ids: number[], merchantId: number | null, shopId: number | null = null) =>
  who.call(merchantCalls.assign, { of: { ids }, merchantId, shopId });

test('a merchant is of its organisation, with a number of its own there', async () => {
  const one = await makeMerchant(ofBank, bank.id, { number: 'A-1', name: ' Bakery ', country: 'DE', lat: 52.5, lon: 13.4 });
  expect(one).toMatchObject({
    number: 'A-1',
    name: 'Bakery',
    kind: 'retail',
    deptName: 'Bank',
    lat: 52.5,
    lon: 13.4,
    shops: 0,
    terminals: 0,
    revision: 1,
    allowedActions: ['update', 'delete'],
  });
  const again = await ofBank.send(merchantCalls.add, { number: 'a-1', name: 'Twin', deptId: bank.id });
  expect([again.body?.fault, Object.keys(again.body?.fields ?? {})]).toEqual(['MERCHANT_NUMBER_TAKEN', ['number']]);
  // Another organisation numbers its own.
  await makeMerchant(ofBank, branch.id, { number: 'A-1' });
  const both = ['R-1', 'r-1'].map((number) => ofBank.send(merchantCalls.add, { number, name: number, deptId: bank.id }));
  expect((await Promise.all(both)).map(({ code }) => code).sort()).toEqual([200, 400]);
  expect(await faultOf(ofBranch.send(merchantCalls.add, { number: 'B', name: 'B', deptId: bank.id }))).toBe('NOT_FOUND');
  expect(await faultOf(ofBranch.send(merchantCalls.detail, { id: one.id }))).toBe('NOT_FOUND');
});

test.each([
  [{ lat: 1 }, 'lon'],
  [{ lon: 1 }, 'lat'],
  [{ lat: 91, lon: 0 }, 'lat'],
  [{ phone: 'call me' }, 'phone'],
  [{ email: 'jane' }, 'email'],
  [{ country: 'Germany' }, 'country'],
  [{ number: '-1' }, 'number'],
  [{ name: 'x'.repeat(65) }, 'name'],
])('%j is refused at its field', async (wrong, name) => {
  const { body } = await ofBank.send(merchantCalls.add, { number: 'W-1', name: 'Wrong', deptId: bank.id, ...wrong });
  expect([body?.fault, Object.keys(body?.fields ?? {})]).toEqual(['BAD_INPUT', [name]]);
});

test('a list is searched, filtered and sorted; a select finds by number or name', async () => {
  const one = await makeMerchant(ofBank, bank.id, { number: 'Z-77', name: 'Zebra café', kind: 'restaurant', phone: '+49 30 5550' });
  const ids = async (criteria: object) => (await ofBank.call(merchantCalls.page, { criteria })).content.map(({ id }) => id);
  for (const criteria of [{ text: 'zebra' }, { text: '5550' }, { text: 'z-77' }, { kind: 'restaurant' }])
    expect([criteria, await ids(criteria)]).toEqual([criteria, [one.id]]);
  expect(await ids({ text: 'nowhere' })).toEqual([]);
  expect(await ofBank.call(merchantCalls.search, { text: 'zebra' })).toEqual([{ id: one.id, number: 'Z-77', name: 'Zebra café' }]);
  expect(await ofBank.call(merchantCalls.search, { ids: [one.id] })).toHaveLength(1);
  expect(await ofBranch.call(merchantCalls.search, { ids: [one.id] })).toEqual([]);
});

test('a shop is whose its merchant is, keeps hours by its own clock, and its number is one of the merchant’s', async () => {
  const merchant = await makeMerchant(ofBank, branch.id);
  const openingHours = [
    { day: 1, from: '09:00', to: '18:00' },
    { day: 5, from: '20:00', to: '02:00' },
  ];
  const shop = await makeShop(ofBank, merchant.id, { number: 'S-1', timeZone: 'Europe/Berlin', openingHours });
  expect(shop).toMatchObject({ merchantName: merchant.name, timeZone: 'Europe/Berlin', openingHours, terminals: 0 });
  expect(await ofBranch.call(shopCalls.detail, { id: shop.id })).toMatchObject({ id: shop.id });
  expect(await faultOf(ofBank.send(shopCalls.add, { merchantId: merchant.id, number: 's-1', name: 'Twin' }))).toBe('SHOP_NUMBER_TAKEN');
  await makeShop(ofBank, (await makeMerchant(ofBank, bank.id)).id, { number: 'S-1' });
  const overlapping = [...openingHours, { day: 1, from: '17:00', to: '19:00' }];
  const { body } = await ofBank.send(shopCalls.update, { id: shop.id, number: 'S-1', name: 'x', openingHours: overlapping });
  expect([body?.fault, Object.keys(body?.fields ?? {})[0]]).toEqual(['BAD_INPUT', 'openingHours.2']);
  expect((await ofBank.call(merchantCalls.detail, { id: merchant.id })).shops).toBe(1);
});

test('terminals of its organisation and of those below come to a merchant; all others stay where they are', async () => {
  const merchant = await makeMerchant(ofBank, bank.id);
  const shop = await makeShop(ofBank, merchant.id);
  const [own, below, elsewhere] = [await terminal(bank), await terminal(branch), await terminal(other)];
  const of = { ids: [own, below, elsewhere] };
  expect(await admin.call(merchantCalls.assign, { of, merchantId: merchant.id, shopId: shop.id, preview: true })).toMatchObject({
    total: 3,
    refused: 1,
  });
  const outcome = await admin.call(merchantCalls.assign, { of, merchantId: merchant.id, shopId: shop.id });
  expect(outcome).toMatchObject({ done: 2, refused: 1, failed: [{ id: elsewhere, fault: 'MERCHANT_ELSEWHERE' }] });
  expect(await placeOf(below)).toEqual([merchant.id, merchant.name, shop.id, shop.name]);
  expect(await placeOf(elsewhere)).toEqual([null, null, null, null]);
  const found = (await ofBank.call(deviceCalls.page, { criteria: { merchantId: merchant.id } })).content.map(({ id }) => id);
  expect(found.sort()).toEqual([own, below].sort());
  expect((await ofBank.call(deviceCalls.page, { criteria: { shopId: shop.id } })).total).toBe(2);
  expect(await ofBank.call(merchantCalls.detail, { id: merchant.id })).toMatchObject({ terminals: 2, shops: 1 });
  expect(await ofBank.call(merchantCalls.ofDevice, { deviceId: own })).toMatchObject({
    device: { id: own },
    merchant: { id: merchant.id },
    shop: { id: shop.id },
  });
  // Below, a merchant of the organisation above isn't seen, and neither is its name.
  expect(await ofBranch.call(deviceCalls.detail, { id: below })).toMatchObject({ merchantId: null, merchantName: null, shopName: null });
  expect(await ofBranch.call(merchantCalls.ofDevice, { deviceId: below })).toMatchObject({ merchant: null, shop: null });
  expect(await assign(ofBank, [own, below], null)).toMatchObject({ done: 2 });
  expect(await placeOf(own)).toEqual([null, null, null, null]);
});

test('a shop of another merchant, a merchant of others, and no right to change terminals are refused', async () => {
  const [one, two] = [await makeMerchant(ofBank, bank.id), await makeMerchant(ofBank, bank.id)];
  const shop = await makeShop(ofBank, two.id);
  const id = await terminal(branch);
  expect(await faultOf(ofBank.send(merchantCalls.assign, { of: { ids: [id] }, merchantId: one.id, shopId: shop.id }))).toBe(
    'SHOP_ELSEWHERE',
  );
  expect(await faultOf(ofBank.send(merchantCalls.assign, { of: { ids: [id] }, merchantId: null, shopId: shop.id }))).toBe('SHOP_ELSEWHERE');
  expect(await faultOf(ofBranch.send(merchantCalls.assign, { of: { ids: [id] }, merchantId: one.id }))).toBe('NOT_FOUND');
  const reader = await app.person('orgMember', bank);
  expect(await faultOf(reader.send(merchantCalls.assign, { of: { ids: [id] }, merchantId: one.id }))).toBe('FORBIDDEN');
  expect(await faultOf(reader.send(merchantCalls.export, { criteria: {}, format: 'csv', columns: ['number'] }))).toBe('FORBIDDEN');
});

test('a terminal that goes to another organisation leaves its merchant; within the organisation it stays', async () => {
  const merchant = await makeMerchant(ofBank, bank.id);
  const shop = await makeShop(ofBank, merchant.id);
  const [inside, outside] = [await terminal(bank), await terminal(branch)];
  await assign(ofBank, [inside, outside], merchant.id, shop.id);
  await admin.call(deviceCalls.move, { of: { ids: [inside] }, deptId: branch.id });
  expect((await placeOf(inside))[0]).toBe(merchant.id);
  await admin.call(deviceCalls.move, { of: { ids: [outside] }, deptId: other.id });
  expect(await placeOf(outside)).toEqual([null, null, null, null]);
});

test('an organisation that moves takes its merchants along, and its terminals leave those of the organisation above', async () => {
  const moving = await app.dept('Moving', bank);
  const [above, own] = [await makeMerchant(ofBank, bank.id), await makeMerchant(ofBank, moving.id)];
  const shop = await makeShop(ofBank, own.id);
  const [ofAbove, ofOwn] = [await terminal(moving), await terminal(moving)];
  await assign(ofBank, [ofAbove], above.id);
  await assign(ofBank, [ofOwn], own.id, shop.id);
  await admin.call(deptCalls.move, { id: moving.id, parentId: other.id });
  await app.runJobs();
  expect(await placeOf(ofAbove)).toEqual([null, null, null, null]);
  expect(await placeOf(ofOwn)).toEqual([own.id, own.name, shop.id, shop.name]);
  const ofOther = await app.person('orgManager', other);
  expect(await ofOther.call(shopCalls.detail, { id: shop.id })).toMatchObject({ merchantId: own.id });
});

test('of two organisations that are merged the merchants of one number both stay', async () => {
  const [from, into] = [await app.dept('From', other), await app.dept('Into', other)];
  const [one, two] = [await makeMerchant(admin, from.id, { number: 'SAME' }), await makeMerchant(admin, into.id, { number: 'same' })];
  await admin.call(deptCalls.merge, { id: from.id, into: into.id });
  await app.runJobs();
  const numbers = (await admin.call(merchantCalls.page, { criteria: { deptId: into.id } })).content.map(({ id, number }) => [id, number]);
  expect(numbers.sort()).toEqual(
    [
      [one.id, `SAME-${one.id}`],
      [two.id, 'same'],
    ].sort(),
  );
});

test('a merchant or shop with terminals stays; without them it goes with its shops', async () => {
  const merchant = await makeMerchant(ofBank, bank.id);
  const shop = await makeShop(ofBank, merchant.id);
  const id = await terminal(bank);
  await assign(ofBank, [id], merchant.id, shop.id);
  expect(await faultOf(ofBank.send(merchantCalls.delete, { id: merchant.id }))).toBe('MERCHANT_IN_USE');
  expect(await faultOf(ofBank.send(shopCalls.delete, { id: shop.id }))).toBe('SHOP_IN_USE');
  // One that is deleted, and may be restored, keeps nothing.
  await ofBank.call(deviceCalls.disable, { of: { ids: [id] } });
  await ofBank.call(deviceCalls.delete, { of: { ids: [id] } });
  await ofBank.call(merchantCalls.delete, { id: merchant.id });
  expect(await faultOf(ofBank.send(shopCalls.detail, { id: shop.id }))).toBe('NOT_FOUND');
  await ofBank.call(deviceCalls.restore, { id });
  expect(await placeOf(id)).toEqual([null, null, null, null]);
});

test('two who assign and delete at once leave no terminal in a merchant that is gone', async () => {
  for (let turn = 0; turn < 4; turn += 1) {
    const merchant = await makeMerchant(ofBank, bank.id);
    const id = await terminal(bank);
    const [assigned, deleted] = await Promise.all([
      ofBank.send(merchantCalls.assign, { of: { ids: [id] }, merchantId: merchant.id }),
      ofBank.send(merchantCalls.delete, { id: merchant.id }),
    ]);
    const isGone = deleted.code === 200;
    expect(isGone ? [404, 200] : [200]).toContain(assigned.code);
    expect((await placeOf(id))[0]).toBe(isGone ? null : merchant.id);
  }
});

test('many go on in the background, by filter', async () => {
  const merchant = await makeMerchant(ofBank, bank.id);
  const sns = Array.from({ length: 1001 }, (_, at) => `BULK${String(at).padStart(5, '0')}`);
  await makeDevices(app, branch, productId, sns);
  const outcome = await ofBank.call(merchantCalls.assign, { of: { criteria: { text: 'BULK' } }, merchantId: merchant.id });
  expect(outcome).toMatchObject({ total: 1001, work: expect.any(Number) });
  await app.runJobs();
  expect(await ofBank.call(backgroundJobCalls.detail, { id: outcome.work ?? 0 })).toMatchObject({ state: 'done', failed: 0 });
  expect((await ofBank.call(merchantCalls.detail, { id: merchant.id })).terminals).toBe(1001);
});

test('shops go out with their hours in words that come in again', async () => {
  const merchant = await makeMerchant(ofBank, bank.id);
  await makeShop(ofBank, merchant.id, { number: 'OUT-1', openingHours: [1, 2, 3].map((day) => ({ day, from: '08:00', to: '20:00' })) });
  const { work } = await ofBank.call(shopCalls.export, {
    criteria: { merchantId: merchant.id },
    format: 'csv',
    columns: ['number', 'openingHours'],
  });
  await app.runJobs();
  const { url } = await ofBank.call(backgroundJobCalls.download, { id: work });
  const [, row] = (await app.http.inject({ url: `/ops${url}` })).body.split('\r\n');
  expect(row).toBe('OUT-1,1-3 08:00-20:00');
});

test('terminals are offered that the merchant doesn’t have yet, however many it has', async () => {
  const unit = await app.dept('Crowded', bank);
  const merchant = await makeMerchant(ofBank, unit.id);
  const sns = Array.from({ length: 55 }, (_, at) => `OWN${String(at).padStart(5, '0')}`);
  const own = await makeDevices(app, unit, productId, sns);
  await assign(ofBank, [...own], merchant.id);
  const [free = 0] = await makeDevices(app, unit, productId, ['FREE00001']);
  const offered = (input: object) => ofBank.call(merchantCalls.terminals, { merchantId: merchant.id, ...input });
  expect((await offered({})).map(({ id }) => id)).toEqual([free]);
  expect(await offered({ text: 'OWN' })).toEqual([]);
  expect((await offered({ ids: [own[0] ?? 0] })).map(({ id }) => id)).toEqual([own[0]]);
});
