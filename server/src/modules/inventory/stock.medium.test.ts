import { deviceCalls } from '@mooring/contract/device/calls';
import { countCalls, countLineCalls } from '@mooring/contract/inventory/count';
import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { saleCalls } from '@mooring/contract/inventory/sale';
import { entryCalls, stockCalls } from '@mooring/contract/inventory/stock';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf, makeMerchant } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { custodyOf, makeStocked, sendTo } from './inventory.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other');
  ofBank = await app.person('orgManager', bank, 'manager');
  ofBranch = await app.person('orgManager', branch, 'manager');
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const stocked = (owner: DeptAt, count = 1, status = '5') => makeStocked(app, owner, productId, count, status);
const inStock = async (who: Client, text: string) => (await who.call(stockCalls.page, { criteria: { text } })).content;
const statusOf = async (id: number) => (await ofBank.call(deviceCalls.detail, { id })).status;

test('terminals come into stock by their serial numbers, unknown ones as new ones of a product', async () => {
  const [known] = await stocked(bank, 1, '1');
  const sns = [known?.sn ?? '', 'NEW-0001', 'NEW-0002'];
  expect((await ofBank.call(stockCalls.warehouse, { sns })).problems).toEqual([
    { sn: 'NEW-0001', reason: 'unknown', document: '' },
    { sn: 'NEW-0002', reason: 'unknown', document: '' },
  ]);
  expect(await statusOf(known?.id ?? 0)).toBe('1');
  expect(await ofBank.call(stockCalls.warehouse, { sns, productId, document: 'PO-1' })).toEqual({ done: 3, refused: 0, problems: [] });
  const rows = await inStock(ofBank, 'PO-1');
  expect(rows.map(({ sn, entryType, deptName }) => [sn, entryType, deptName]).sort()).toEqual([
    ['NEW-0001', '1', 'Bank'],
    ['NEW-0002', '1', 'Bank'],
    [known?.sn, '6', 'Bank'],
  ]);
  const again = await ofBank.call(stockCalls.warehouse, { sns: ['NEW-0001', 'x'], productId });
  expect(again.problems.map(({ reason }) => reason)).toEqual(['there', 'wrong']);
  const [foreign] = await stocked(other);
  expect((await ofBank.call(stockCalls.warehouse, { sns: [foreign?.sn ?? ''], productId })).problems[0]?.reason).toBe('taken');
  expect(await faultOf(ofBank.send(stockCalls.warehouse, { sns: ['NEW-9'], productId: 999_999 }))).toBe('NOT_FOUND');
  expect(await faultOf(ofBank.send(stockCalls.warehouse, { sns: ['NEW-9'], document: '?' }))).toBe('BAD_INPUT');
});

test('whatever brings a terminal here, or into stock, leaves an entry and a line of custody', async () => {
  const { id } = await ofBank.call(deviceCalls.add, { sn: 'ADDED-01', productId, deptId: bank.id, stocked: true });
  await ofBank.call(stockCalls.batchOut, { of: { ids: [id] }, document: 'OUT-1' });
  expect(await statusOf(id)).toBe('1');
  await ofBank.call(deviceCalls.stockIn, { of: { ids: [id] } });
  await ofBank.call(deviceCalls.move, { of: { ids: [id] }, deptId: branch.id });
  expect(await custodyOf(ofBank, id)).toEqual([
    ['moved', 'Bank', 'Branch', ''],
    ['stocked', '', 'Bank', ''],
    ['issued', '', 'Bank', 'OUT-1'],
    ['entered', '', 'Bank', ''],
  ]);
  // Who gets it later sees what became of it there.
  expect((await custodyOf(ofBranch, id)).map(([event]) => event)).toEqual(['moved']);
  const found = await ofBank.call(entryCalls.page, { criteria: { text: 'ADDED-01' } });
  // Received from another organisation, stocked in, added.
  expect(found.content.map(({ type }) => type)).toEqual(['3', '6', '2']);
  expect((await inStock(ofBranch, 'ADDED-01')).map(({ deptName }) => deptName)).toEqual(['Branch']);
});

test('custody is written once', async () => {
  const change = sql`update device_custody set by_name = 'nobody'`;
  await expect(app.context.unscoped((db) => change.execute(db))).rejects.toThrow('written once');
  await expect(app.context.unscoped((db) => sql`delete from device_custody`.execute(db))).rejects.toThrow('written once');
});

test('many leave the stock by a filter, and the figures by product follow', async () => {
  const product = await makeProduct(app, app.root);
  await makeStocked(app, bank, product, 3);
  const countOf = async (who: Client) => (await who.call(stockCalls.products)).find(({ id }) => id === product)?.count;
  expect([await countOf(ofBank), await countOf(ofBranch)]).toEqual([3, undefined]);
  const of = { criteria: { productId: product }, except: [] };
  expect(await ofBank.call(stockCalls.batchOut, { of, preview: true })).toMatchObject({ total: 3, done: 0 });
  expect(await ofBank.call(stockCalls.batchOut, { of })).toMatchObject({ total: 3, done: 3 });
  expect(await countOf(ofBank)).toBeUndefined();
});

test('terminals of the stock are listed in a dispatch, but for those that are in one already', async () => {
  const product = await makeProduct(app, app.root);
  const made = await makeStocked(app, bank, product, 3);
  await sendTo(ofBank, branch.id, [made[0]?.sn ?? '']);
  const of = { criteria: { productId: product }, except: [] };
  expect(await ofBank.call(dispatchCalls.fromStock, { of, toId: branch.id, preview: true })).toMatchObject({ total: 3, refused: 1 });
  expect(await ofBank.call(dispatchCalls.fromStock, { of, toId: branch.id, number: 'SHELF' })).toMatchObject({ done: 2, refused: 1 });
  const [dispatch] = (await ofBank.call(dispatchCalls.page, { criteria: { text: 'SHELF' } })).content;
  expect(dispatch).toMatchObject({ total: 2, state: '1', toName: 'Branch' });
});

const today = () => app.clock.now.toISOString().slice(0, 10);
const sell = (deviceId: number, more: object = {}) => ({ deviceId, buyer: 'Corner Bakery', soldAt: today(), ...more });

test('a terminal of the stock is sold to a merchant with a warranty, and comes back', async () => {
  const [one] = await stocked(bank);
  const id = one?.id ?? 0;
  const merchant = await makeMerchant(ofBank, bank.id, { name: 'Bakery' });
  const sale = await ofBank.call(
    saleCalls.add,
    sell(id, { merchantId: merchant.id, number: 'INV-1', price: '12345678.99', warrantyUntil: '2099-01-31' }),
  );
  expect(sale).toMatchObject({
    sn: one?.sn,
    number: 'INV-1',
    state: 'sold',
    merchantName: 'Bakery',
    soldAt: today(),
    warrantyUntil: '2099-01-31',
    allowedActions: ['update', 'takeBack'],
  });
  expect(await ofBank.call(deviceCalls.detail, { id })).toMatchObject({ status: '1', merchantName: 'Bakery' });
  expect((await custodyOf(ofBank, id))[0]).toEqual(['sold', '', 'Bakery', 'INV-1']);
  // What was issued for good goes on no way, and into no stock, before its sale is returned.
  const sold = { problems: [{ sn: one?.sn ?? '', reason: 'sold', document: 'INV-1' }], done: 0 };
  expect(await ofBank.call(dispatchCalls.add, { toId: branch.id, sns: [one?.sn ?? ''] })).toMatchObject(sold);
  expect(await ofBank.call(stockCalls.warehouse, { sns: [one?.sn ?? ''] })).toMatchObject(sold);
  expect(await ofBank.call(saleCalls.takeBack, { id: sale.id })).toMatchObject({ state: 'returned', allowedActions: [] });
  expect(await ofBank.call(deviceCalls.detail, { id })).toMatchObject({ status: '5', merchantName: null });
  expect(await faultOf(ofBank.send(saleCalls.takeBack, { id: sale.id }))).toBe('OVERTAKEN');
  expect(await faultOf(ofBank.send(saleCalls.update, { id: sale.id, revision: sale.revision, soldAt: today() }))).toBe('SALE_RETURNED');
});

test.each([
  [{ buyer: '' }, 'BAD_INPUT', 'buyer'],
  [{ price: '123456789' }, 'BAD_INPUT', 'price'],
  [{ price: '1.234' }, 'BAD_INPUT', 'price'],
  [{ warrantyUntil: '2000-01-01' }, 'BAD_INPUT', 'warrantyUntil'],
  [{ soldAt: 'today' }, 'BAD_INPUT', 'soldAt'],
])('a sale with %j is refused at its field', async (wrong, name, field) => {
  const [one] = await stocked(bank);
  const { body } = await ofBank.send(saleCalls.add, sell(one?.id ?? 0, wrong));
  expect([body?.fault, Object.keys(body?.fields ?? {})]).toEqual([name, [field]]);
});

test('what is sold comes into stock by the return of its sale alone, and is sold anew then', async () => {
  const [one, free] = await stocked(bank, 2);
  const id = one?.id ?? 0;
  const sale = await ofBank.call(saleCalls.add, sell(id, { number: 'FIRST-1' }));
  const both = { of: { ids: [id, free?.id ?? 0] } };
  await ofBank.call(stockCalls.batchOut, { of: { ids: [free?.id ?? 0] }, document: '', remark: '' });
  expect(await ofBank.call(deviceCalls.stockIn, { ...both, preview: true })).toMatchObject({ total: 2, refused: 1 });
  expect(await ofBank.call(deviceCalls.stockIn, both)).toMatchObject({
    done: 1,
    refused: 1,
    failed: [{ id, label: one?.sn, fault: 'DEVICE_SOLD' }],
  });
  expect(await faultOf(ofBank.send(saleCalls.add, sell(id)))).toBe('NOT_IN_STOCK');
  await ofBank.call(saleCalls.takeBack, { id: sale.id });
  expect(await ofBank.call(saleCalls.add, sell(id))).toMatchObject({ state: 'sold' });
});

test('a sale of what went elsewhere ends on record, and its new owner may sell it then', async () => {
  const [one] = await stocked(bank);
  const id = one?.id ?? 0;
  const merchant = await makeMerchant(ofBank, bank.id, { name: 'Kiosk' });
  const sale = await ofBank.call(saleCalls.add, sell(id, { merchantId: merchant.id, buyer: '', number: 'OLD-1' }));
  expect(sale.buyer).toBe('Kiosk');
  const { id: _id, deviceId: _device, ...rest } = { ...sell(id), id };
  expect((await ofBank.call(saleCalls.update, { id: sale.id, revision: sale.revision, ...rest, buyer: '' } as never)).buyer).toBe('Kiosk');
  const admin = await app.person('platformAdmin', app.root);
  await admin.call(deviceCalls.move, { of: { ids: [id] }, deptId: other.id });
  const ofOther = await app.person('orgManager', other, 'manager');
  await ofOther.call(deviceCalls.stockIn, { of: { ids: [id] } });
  expect(await faultOf(ofOther.send(saleCalls.add, sell(id)))).toBe('STILL_SOLD');
  expect(await ofBank.call(saleCalls.takeBack, { id: sale.id })).toMatchObject({ state: 'returned' });
  expect(await ofOther.call(deviceCalls.detail, { id })).toMatchObject({ status: '5', deptName: 'Other' });
  expect(await ofOther.call(saleCalls.add, sell(id))).toMatchObject({ state: 'sold' });
});

test('one that is in contact is not returned to stock', async () => {
  const [one] = await stocked(bank);
  const sale = await ofBank.call(saleCalls.add, sell(one?.id ?? 0));
  await app.context.unscoped((db) =>
    db
      .updateTable('device')
      .set({ status: '3' })
      .where('id', '=', one?.id ?? 0)
      .execute(),
  );
  expect(await faultOf(ofBank.send(saleCalls.takeBack, { id: sale.id }))).toBe('SALE_ELSEWHERE');
  expect(await ofBank.call(saleCalls.detail, { id: sale.id })).toMatchObject({ state: 'sold' });
});

test('only what lies in stock, on no way elsewhere, is sold, and once', async () => {
  const [one] = await stocked(bank);
  const [used] = await stocked(bank, 1, '2');
  const [theirs] = await stocked(other);
  const [busy] = await stocked(bank);
  await sendTo(ofBank, branch.id, [busy?.sn ?? ''], { number: 'WAY-1' });
  expect(await faultOf(ofBank.send(saleCalls.add, sell(used?.id ?? 0)))).toBe('NOT_IN_STOCK');
  expect(await faultOf(ofBank.send(saleCalls.add, sell(theirs?.id ?? 0)))).toBe('NOT_FOUND');
  expect(await faultOf(ofBank.send(saleCalls.add, sell(busy?.id ?? 0)))).toBe('IN_TRANSFER');
  const both = await Promise.all([1, 2].map(() => ofBank.send(saleCalls.add, sell(one?.id ?? 0))));
  expect(both.map(({ code }) => code).sort()).toEqual([200, 400]);
  const foreign = await makeMerchant(await app.person('orgManager', other, 'manager'), other.id);
  const [last] = await stocked(bank);
  expect(await faultOf(ofBank.send(saleCalls.add, sell(last?.id ?? 0, { merchantId: foreign.id })))).toBe('NOT_FOUND');
  const ofBranchOnly = await makeMerchant(ofBranch, branch.id);
  expect(await faultOf(ofBank.send(saleCalls.add, sell(last?.id ?? 0, { merchantId: ofBranchOnly.id })))).toBe('MERCHANT_ELSEWHERE');
});

test('a shelf is counted: what is there, what is missing, what should not be there, what was scanned twice', async () => {
  const product = await makeProduct(app, app.root);
  const made = await makeStocked(app, bank, product, 3);
  const [below] = await makeStocked(app, branch, product, 1);
  const shelf = { deptId: bank.id, productId: product };
  expect(await ofBank.call(countCalls.shelf, shelf)).toEqual({ expected: 3 });
  const [one, two] = made.map(({ sn }) => sn);
  expect(await ofBank.call(countCalls.check, { ...shelf, sn: ` ${one?.toLowerCase()}` })).toMatchObject({ sn: one, result: 'found' });
  expect(await ofBank.call(countCalls.check, { ...shelf, sn: below?.sn ?? '' })).toMatchObject({
    result: 'unexpected',
    deptName: 'Branch',
    status: '5',
  });
  expect(await ofBank.call(countCalls.check, { ...shelf, sn: 'ALIEN-1' })).toMatchObject({ result: 'unexpected', status: '' });
  const scans = [one, two, one, below?.sn, 'ALIEN-1'].map((sn) => sn ?? '');
  const count = await ofBank.call(countCalls.save, { ...shelf, sns: scans });
  expect(count).toMatchObject({ expected: 3, found: 2, missing: 1, unexpected: 2, doubled: 1, deptName: 'Bank' });
  const lines = (await ofBank.call(countLineCalls.page, { criteria: { countId: count.id } })).content;
  expect(lines.map(({ sn, result, times }) => [sn, result, times])).toEqual([
    ['ALIEN-1', 'unexpected', 1],
    [one, 'found', 2],
    [two, 'found', 1],
    [made[2]?.sn, 'missing', 0],
    [below?.sn, 'unexpected', 1],
  ]);
  expect(await faultOf(ofBranch.send(countCalls.save, { ...shelf, sns: scans }))).toBe('NOT_FOUND');
  expect(await faultOf(ofBranch.send(countCalls.detail, { id: count.id }))).toBe('NOT_FOUND');
  expect(await faultOf(ofBank.send(countCalls.save, { ...shelf, sns: [] }))).toBe('BAD_INPUT');
});

test('what a count found and the stock doesn’t have is put into stock at once, of chosen lines or of a filter', async () => {
  const [there] = await stocked(bank);
  const found = await stocked(bank, 2, '1');
  const sns = found.map(({ sn }) => sn).toSorted();
  const { id: countId } = await ofBank.call(countCalls.save, { deptId: bank.id, productId: null, sns: [there?.sn ?? '', ...sns] });
  const { content: lines } = await ofBank.call(countLineCalls.page, { criteria: { countId }, page: { size: 100 } });
  const idOf = (sn: string | undefined) => lines.find((line) => line.sn === sn)?.id ?? 0;
  const serials = (of: object, by = ofBank) => by.send(countLineCalls.serials, { of } as never);
  const all = { criteria: { countId }, except: [] };
  expect((await serials(all)).body).toEqual({ sns });
  expect((await serials({ ...all, except: [idOf(sns[0])] })).body).toEqual({ sns: [sns[1]] });
  expect((await serials({ ids: [idOf(there?.sn), idOf(sns[0])] })).body).toEqual({ sns: [sns[0]] });
  expect(await faultOf(serials({ ids: [idOf(there?.sn)] }))).toBe('COUNT_NONE_UNEXPECTED');
  expect(await faultOf(serials(all, ofBranch))).toBe('COUNT_NONE_UNEXPECTED');
  expect(await ofBank.call(stockCalls.warehouse, { sns })).toMatchObject({ done: 2, refused: 0 });
  const again = await ofBank.call(countCalls.save, { deptId: bank.id, productId: null, sns });
  expect(again).toMatchObject({ found: 2, unexpected: 0 });
});

test('a terminal that comes into stock, alone, by its number or back from being disabled, leaves its merchant; one that is sold to no merchant has none', async () => {
  const merchant = await makeMerchant(ofBank, bank.id);
  const rows = await stocked(bank, 4, '1');
  const [one = 0, two = 0, three = 0, four = 0] = rows.map(({ id }) => id);
  const assign = (ids: number[]) => ofBank.call(merchantCalls.assign, { of: { ids }, merchantId: merchant.id });
  await assign([one, two, three, four]);
  await ofBank.call(deviceCalls.stockIn, { of: { ids: [one] } });
  await ofBank.call(stockCalls.warehouse, { sns: [rows[1]?.sn ?? ''] });
  await ofBank.call(deviceCalls.stockIn, { of: { ids: [three] } });
  await ofBank.call(deviceCalls.disable, { of: { ids: [three] } });
  await assign([three]);
  await ofBank.call(deviceCalls.enable, { of: { ids: [three] } });
  await ofBank.call(deviceCalls.stockIn, { of: { ids: [four] } });
  // One may be meant for a merchant while it lies there still.
  await assign([four]);
  await ofBank.call(saleCalls.add, { deviceId: four, buyer: 'A shop', soldAt: '2026-01-01' });
  for (const id of [one, two, three]) {
    const { status, merchantId, shopId } = await ofBank.call(deviceCalls.detail, { id });
    expect([id, status, merchantId, shopId]).toEqual([id, '5', null, null]);
  }
  expect(await ofBank.call(deviceCalls.detail, { id: four })).toMatchObject({ status: '1', merchantId: null });
});
