import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder } from './order.factory.ts';

/** A pallet of terminals is one act. */
let app: TestApp;
let bank: DeptAt;
let desk: DeptAt;
let customer: Client;
let partner: Client;
let outsider: Client;
let ids: number[];
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank', { id: 2, path: '1.2.' });
  desk = await app.dept('Service desk', bank);
  customer = await app.person('orgManager', bank, 'manager');
  partner = await app.person('orgManager', desk, 'manager');
  outsider = await app.person('orgManager', await app.dept('Other', { id: 2, path: '1.2.' }), 'manager');
  const productId = await makeProduct(app, app.root);
  const terminals = await makeStocked(app, bank, productId, 3, '1');
  ids = [];
  for (const { id } of terminals) ids.push((await makeOrder(customer, id, desk.id)).id);
});
afterAll(() => app.stop());

const states = async () => {
  const { content } = await partner.call(orderCalls.page, { page: { sort: 'createdAt', order: 'asc' } });
  return ids.map((id) => content.find((one) => one.id === id)?.state);
};

test('several are accepted and received at once; those that it isn’t for are named, and no others’ are found', async () => {
  const [first = 0] = ids;
  expect(await partner.call(orderCalls.acceptMany, { of: { ids }, preview: true })).toMatchObject({ total: 3, done: 0, refused: 0 });
  expect(await states()).toEqual(['created', 'created', 'created']);
  await partner.call(orderCalls.accept, { id: first });
  const done = await partner.call(orderCalls.acceptMany, { of: { criteria: {}, except: [] } });
  expect(done).toMatchObject({ total: 3, done: 2, refused: 1, failed: [{ id: first, fault: 'OVERTAKEN' }] });
  expect(await states()).toEqual(['accepted', 'accepted', 'accepted']);
  expect(await faultOf(outsider.send(orderCalls.receiveMany, { of: { ids } }))).toBe('NOT_FOUND');
  expect(await customer.call(orderCalls.receiveMany, { of: { ids } })).toMatchObject({ done: 0, refused: 3 });
  expect(await partner.call(orderCalls.receiveMany, { of: { ids: ids.slice(1) } })).toMatchObject({ total: 2, done: 2 });
  expect(await states()).toEqual(['accepted', 'received', 'received']);
});
