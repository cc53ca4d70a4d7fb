import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld } from './order.factory.ts';

/** A pallet of terminals is one act. */
let app: TestApp;
let bank: DeptAt;
let desk: DeptAt;
let customer: Client;
let partner: Client;
let outsider: Client;
let ids: number[];
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch: desk, ofBank: customer, ofBranch: partner, productId } = await orderWorld());
  outsider = await app.person('orgManager', await app.dept('Other', { id: 2, path: '1.2.' }), 'manager');
  const terminals = await makeStocked(app, bank, productId, 3, '1');
  ids = [];
  for (const { id } of terminals) ids.push((await makeOrder(customer, id, desk.id)).id);
});
afterAll(() => app.stop());

const told = async () => {
  await app.runJobs();
  const { content } = await customer.call(messageCalls.page, {});
  return content.map(({ title, text, link }) => [title, text, link]);
};

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

test('whoever ordered them hears of many at once in one message and one mail, with a few numbers', async () => {
  const terminals = await makeStocked(app, bank, productId, 12, '1');
  const orders = [];
  for (const { id } of terminals) orders.push(await makeOrder(customer, id, desk.id));
  const [first, ...others] = orders.map(({ id }) => id);
  await app.runJobs();
  await app.context.unscoped(async (db) => void (await db.deleteFrom('message_message').execute()));
  const mails = async () => (await app.context.unscoped((db) => db.selectFrom('mail_message').select('id').execute())).length;
  const before = await mails();
  await partner.call(orderCalls.acceptMany, { of: { ids: orders.map(({ id }) => id) } });
  const named = orders
    .slice(0, 10)
    .map(({ number }) => number)
    .join(', ');
  const text = `Person 2 accepted them. Send the terminals on their way. Orders: ${named} and 2 more.`;
  expect(await told()).toEqual([['12 after-sales orders accepted', text, '/ordersList?waiting=true']]);
  expect((await mails()) - before).toBe(1);
  await partner.call(orderCalls.receiveMany, { of: { ids: [first ?? 0] } });
  expect((await told())[0]?.[0]).toBe(`Terminal of order ${orders[0]?.number} arrived`);
  await partner.call(orderCalls.receiveMany, { of: { ids: others.slice(0, 2) }, preview: true });
  await partner.call(orderCalls.receiveMany, { of: { ids: others.slice(0, 2) } });
  const both = orders
    .slice(1, 3)
    .map(({ number }) => number)
    .join(', ');
  expect((await told())[0]).toEqual([
    'Terminals of 2 after-sales orders arrived',
    `Person 2 has received them, and looks for the faults. Orders: ${both}.`,
    '/ordersList?state=received',
  ]);
  expect(await told()).toHaveLength(3);
});

test('several are assigned, closed and cancelled at once, each told once', async () => {
  const engineer = await app.person('orgManager', desk, 'manager');
  const terminals = await makeStocked(app, bank, productId, 4, '1');
  const orders = [];
  for (const { id } of terminals) orders.push(await makeOrder(customer, id, desk.id));
  const all = orders.map(({ id }) => id);
  const [first = 0, ...rest] = all;
  await partner.call(orderCalls.acceptMany, { of: { ids: rest } });
  await app.runJobs();
  const clear = () => app.context.unscoped(async (db) => void (await db.deleteFrom('message_message').execute()));
  await clear();
  const heard = async (who: Client) => {
    await app.runJobs();
    return (await who.call(messageCalls.page, {})).content.map(({ title, link }) => [title, link]);
  };
  expect(await faultOf(partner.send(orderCalls.assignMany, { of: { ids: all } }))).toBe('BAD_INPUT');
  expect(await faultOf(partner.send(orderCalls.assignMany, { of: { ids: all }, dueOn: '2020-01-01' }))).toBe('ORDER_DUE_PAST');
  const assigned = { of: { ids: all }, engineerId: engineer.userId, dueOn: '2999-01-01' };
  // One that isn't accepted yet has no engineer.
  expect(await partner.call(orderCalls.assignMany, assigned)).toMatchObject({ done: 3, refused: 1, failed: [{ id: first }] });
  expect(await partner.call(orderCalls.detail, { id: rest[0] ?? 0 })).toMatchObject({ engineerId: engineer.userId, dueOn: '2999-01-01' });
  expect(await heard(engineer)).toEqual([['3 after-sales orders are yours to repair', '/ordersList?mine=true']]);
  expect(await heard(customer)).toEqual([['3 after-sales orders have another due date', '/ordersList']]);
  // Who had them before hears of all of them together, too; the date stays.
  await partner.call(orderCalls.assignMany, { of: { ids: rest }, engineerId: null });
  expect((await heard(engineer)).map(([title]) => title)).toContain('3 after-sales orders have another engineer');
  expect(await partner.call(orderCalls.detail, { id: rest[0] ?? 0 })).toMatchObject({ engineerId: null, dueOn: '2999-01-01' });

  await clear();
  const [last = 0, ...back] = rest;
  await partner.call(orderCalls.receiveMany, { of: { ids: back } });
  for (const id of back) await partner.call(orderCalls.refuse, { id, reason: 'Beyond repair' });
  await app.runJobs();
  await clear();
  expect(await partner.call(orderCalls.deliveredMany, { of: { ids: back } })).toMatchObject({ done: 0, refused: 2 });
  expect(await customer.call(orderCalls.deliveredMany, { of: { ids: rest } })).toMatchObject({ done: 2, refused: 1 });
  expect(await heard(partner)).toEqual([['2 after-sales orders closed', '/ordersList?state=closed']]);

  await clear();
  const cancelled = { of: { ids: all }, reason: 'Not needed any more' };
  expect(await customer.call(orderCalls.cancelMany, cancelled)).toMatchObject({ done: 2, refused: 2 });
  expect(await heard(partner)).toEqual([['2 after-sales orders cancelled', '/ordersList?state=cancelled']]);
  for (const id of [first, last])
    expect(await partner.call(orderCalls.detail, { id })).toMatchObject({ state: 'cancelled', reason: cancelled.reason });
});
