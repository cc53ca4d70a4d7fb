import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld, receiveOrder } from './order.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank, ofBranch, productId } = await orderWorld());
});
afterAll(() => app.stop());

test('what an order costs stands in the list, sorts it, and is what is approved', async () => {
  const cost = async (labour: string, parts: object[]) => {
    const [device] = await makeStocked(app, branch, productId, 1, '1');
    const { id, number } = await makeOrder(ofBranch, device?.id ?? 0, bank.id);
    await receiveOrder(ofBank, id);
    await ofBank.call(orderCalls.quote, { id, diagnosis: 'Worn', covered: false, warrantyReason: 'No', labour, parts } as never);
    return { id, number };
  };
  const cheap = await cost('0.30', [
    { name: 'Screw', quantity: 2, price: '0.05' },
    { name: 'Free', price: '' },
  ]);
  const dear = await cost('', [{ name: 'Board', quantity: 9999, price: '99999999.99' }]);
  const free = await cost('', []);
  const listed = async (order: 'asc' | 'desc') =>
    (await ofBank.call(orderCalls.page, { page: { sort: 'total', order } })).content
      .filter(({ id }) => [cheap.id, dear.id, free.id].includes(id))
      .map(({ number, total }) => [number, total]);
  const rising = [
    [free.number, 0],
    [cheap.number, 40],
    [dear.number, 9999 * 9_999_999_999],
  ];
  expect(await listed('asc')).toEqual(rising);
  expect(await listed('desc')).toEqual(rising.toReversed());
  expect((await ofBranch.send(orderCalls.approveCosts, { id: cheap.id, total: 41, currency: '1' })).code).toBe(409);
  await ofBranch.call(orderCalls.approveCosts, { id: cheap.id, total: 40, currency: '1' });
  const { work } = await ofBank.call(orderCalls.export, { criteria: { text: cheap.number }, format: 'csv', columns: ['number', 'total'] });
  await app.runJobs();
  const { url } = await ofBank.call(backgroundJobCalls.download, { id: work });
  expect((await app.http.inject({ url: `/ops${url}` })).body).toContain(`${cheap.number},¥0.40`);
});
