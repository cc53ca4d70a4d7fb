import { deviceCalls } from '@mooring/contract/device/calls';
import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { saleCalls } from '@mooring/contract/inventory/sale';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { custodyOf, makeStocked } from './inventory.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let ofBank: Client;
let ofOther: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  const line = { id: 2, path: '1.2.' };
  bank = await app.dept('Bank', line);
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other', line);
  ofBank = await app.person('orgManager', bank, 'manager');
  ofOther = await app.person('orgManager', other, 'manager');
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const terms = { buyer: 'Corner Shop', soldAt: '2026-11-28', price: '100' };
const salesOf = async (text: string) =>
  (await ofBank.call(saleCalls.page, { criteria: { text }, page: { sort: 'sn', order: 'asc' } })).content;

test('many are sold under one document, with a price each or one for all', async () => {
  const made = await makeStocked(app, bank, productId, 3);
  const [one, two, three] = made.map(({ sn }) => sn);
  const merchant = await ofBank.call(merchantCalls.add, { name: 'Corner', number: 'M-1', deptId: bank.id } as never);
  const items = [{ sn: ` ${one?.toLowerCase()}` }, { sn: two ?? '', price: '129.90' }, { sn: three ?? '' }];
  const sold = await ofBank.call(saleCalls.addMany, {
    ...terms,
    items,
    number: 'INV-7',
    merchantId: merchant.id,
    warrantyUntil: '2028-11-28',
  });
  expect(sold).toEqual({ done: 3, refused: 0, problems: [], number: 'INV-7' });
  const rows = await salesOf('INV-7');
  expect(rows.map(({ sn, price, state, buyer, merchantName }) => [sn, price, state, buyer, merchantName])).toEqual([
    [one, '100', 'sold', 'Corner Shop', 'Corner'],
    [two, '129.90', 'sold', 'Corner Shop', 'Corner'],
    [three, '100', 'sold', 'Corner Shop', 'Corner'],
  ]);
  expect(rows[0]).toMatchObject({
    soldAt: '2026-11-28',
    warrantyUntil: '2028-11-28',
    allowedActions: expect.arrayContaining(['takeBack']),
  });
  for (const { id } of made) {
    expect(await ofBank.call(deviceCalls.detail, { id })).toMatchObject({ status: '1', merchantId: merchant.id });
    expect((await custodyOf(ofBank, id))[0]).toEqual(['sold', '', 'Corner', 'INV-7']);
  }
  // Each comes back by itself.
  await ofBank.call(saleCalls.takeBack, { id: rows[0]?.id ?? 0 });
  expect((await salesOf('INV-7')).map(({ state }) => state)).toEqual(['returned', 'sold', 'sold']);
});

test('each that cannot be sold is named, and nothing is sold', async () => {
  const [good, priced, listed, sold] = await makeStocked(app, bank, productId, 4);
  const [inactive] = await makeStocked(app, bank, productId, 1, '1');
  const [foreign] = await makeStocked(app, other, productId, 1);
  await ofBank.call(dispatchCalls.add, { toId: branch.id, number: 'D-5', sns: [listed?.sn ?? ''] });
  await ofBank.call(saleCalls.add, { ...terms, deviceId: sold?.id ?? 0, number: 'S-5' });
  const sn = (row: { sn: string } | undefined) => ({ sn: row?.sn ?? '' });
  const items = [
    sn(good),
    sn(good),
    { ...sn(priced), price: '12,50' },
    sn(listed),
    sn(sold),
    sn(inactive),
    sn(foreign),
    { sn: '?!' },
    { sn: '' },
  ];
  const { problems, ...answer } = await ofBank.call(saleCalls.addMany, { ...terms, items, number: 'INV-8' });
  expect(answer).toEqual({ done: 0, refused: 8, number: 'INV-8' });
  expect(problems.map(({ sn: named, reason, document }) => [named, reason, document])).toEqual([
    [good?.sn, 'twice', ''],
    [listed?.sn, 'transfer', 'D-5'],
    [sold?.sn, 'sold', 'S-5'],
    [inactive?.sn, 'notStocked', ''],
    [foreign?.sn, 'unknown', ''],
    ['?!', 'wrong', ''],
    ['?', 'wrong', ''],
    [priced?.sn, 'price', ''],
  ]);
  expect(await salesOf('INV-8')).toEqual([]);
  expect(await ofBank.call(deviceCalls.detail, { id: good?.id ?? 0 })).toMatchObject({ status: '5' });
});

test('what is missing or wrong in its terms is said at its field', async () => {
  const [one] = await makeStocked(app, bank, productId, 1);
  const items = [{ sn: one?.sn ?? '' }];
  const fieldsOf = async (input: object) => {
    const { code, body } = await ofBank.send(saleCalls.addMany, { ...terms, items, ...input });
    return [code, Object.keys(body?.fields ?? {})];
  };
  expect(await fieldsOf({ buyer: '' })).toEqual([400, ['buyer']]);
  expect(await fieldsOf({ warrantyUntil: '2020-01-01' })).toEqual([400, ['warrantyUntil']]);
  expect(await fieldsOf({ price: 'much' })).toEqual([400, ['price']]);
  expect(await fieldsOf({ number: '?' })).toEqual([400, ['number']]);
  expect(await fieldsOf({ items: [] })).toEqual([400, ['items']]);
  expect((await fieldsOf({ items: Array.from({ length: 1001 }, () => items[0]) }))[0]).toBe(400);
  const theirs = await ofOther.call(merchantCalls.add, { name: 'Theirs', number: 'M-9', deptId: other.id } as never);
  expect((await ofBank.send(saleCalls.addMany, { ...terms, items, merchantId: theirs.id })).code).toBe(404);
  expect(await ofBank.call(deviceCalls.detail, { id: one?.id ?? 0 })).toMatchObject({ status: '5' });
});

test('two who sell the same terminals at once sell them once', async () => {
  const made = await makeStocked(app, bank, productId, 2);
  const items = made.map(({ sn }) => ({ sn }));
  const both = await Promise.all(['R-1', 'R-2'].map((number) => ofBank.call(saleCalls.addMany, { ...terms, items, number })));
  expect(both.map(({ done }) => done).toSorted()).toEqual([0, 2]);
  expect(both.find(({ done }) => done === 0)?.problems.map(({ reason }) => reason)).toEqual(['sold', 'sold']);
});

test('sales are found by their day and by the end of their warranty', async () => {
  const [one, two] = await makeStocked(app, bank, productId, 2);
  const sell = (deviceId: number, soldAt: string, warrantyUntil: string | null) =>
    ofBank.call(saleCalls.add, { deviceId, buyer: 'Daily', soldAt, warrantyUntil });
  await sell(one?.id ?? 0, '2025-03-01', '2027-03-01');
  await sell(two?.id ?? 0, '2025-04-01', null);
  const found = async (criteria: object) =>
    (await ofBank.call(saleCalls.page, { criteria: { text: 'Daily', ...criteria } })).content.map(({ sn }) => sn);
  expect(await found({ soldAt: { greaterThanOrEqual: '2025-03-01', lessThanOrEqual: '2025-03-31' } })).toEqual([one?.sn]);
  expect(await found({ soldAt: { greaterThanOrEqual: '2025-04-01' } })).toEqual([two?.sn]);
  expect(await found({ warrantyUntil: { lessThanOrEqual: '2027-03-01' } })).toEqual([one?.sn]);
  expect(await found({ warrantyUntil: { lessThanOrEqual: '2027-02-28' } })).toEqual([]);
});
