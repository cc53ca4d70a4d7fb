import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld, receiveOrder } from './order.factory.ts';

/** What is said of orders by itself, each once. */
let app: TestApp;
let bank: DeptAt;
let desk: DeptAt;
let customer: Client;
let partner: Client;
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch: desk, ofBank: customer, ofBranch: partner, productId } = await orderWorld());
});
afterAll(() => app.stop());
beforeEach(() => app.context.unscoped(async (db) => void (await db.deleteFrom('message_message').execute())));

const day = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000);
const later = (days: number) => {
  app.clock.now = day(days);
};
async function order(more: object = {}) {
  const [terminal] = await makeStocked(app, bank, productId, 1, '1');
  return makeOrder(customer, terminal?.id ?? 0, desk.id, more);
}
const remind = async () => {
  await app.context.unscoped((db) => app.context.enqueue(db, 'order:remind', {}));
  await app.runJobs();
};
const titles = async (who: Client) => {
  await remind();
  return (await who.call(messageCalls.page, {})).content
    .map(({ title }) => title)
    .filter((title) => /waits to be|still wait|on its way\?|still to be|back\?|due tomorrow|is late/.test(title));
};

test('one that nobody accepts is told to the partner after two days, once', async () => {
  const { number, id } = await order();
  later(1);
  expect(await titles(partner)).toEqual([]);
  later(1);
  expect(await titles(partner)).toEqual([`Order ${number} waits to be accepted`]);
  later(5);
  expect(await titles(partner)).toEqual([`Order ${number} waits to be accepted`]);
  expect(await titles(customer)).toEqual([]);
  await customer.call(orderCalls.cancel, { id, reason: 'Not needed' });
});

test('a due date is told the day before and when it has passed, and another one anew', async () => {
  const { id, number } = await order({ dueOn: day(3).toISOString().slice(0, 10) });
  await receiveOrder(partner, id);
  later(1);
  expect(await titles(partner)).toEqual([]);
  later(1);
  expect(await titles(partner)).toEqual([`Order ${number} is due tomorrow`]);
  later(2);
  expect(new Set(await titles(partner))).toEqual(new Set([`Order ${number} is due tomorrow`, `Order ${number} is late`]));
  const { engineerId } = await partner.call(orderCalls.detail, { id });
  await partner.call(orderCalls.assign, { id, engineerId, dueOn: day(1).toISOString().slice(0, 10) });
  expect((await titles(partner)).filter((title) => title === `Order ${number} is due tomorrow`)).toHaveLength(2);
});

test('many at once are one message for each person, with the way to the list', async () => {
  for (let at = 0; at < 4; at += 1) await order();
  later(2);
  await remind();
  const { content } = await partner.call(messageCalls.page, {});
  const told = content.filter(({ title }) => /waiting to be|waits to be/.test(title));
  expect(told.map(({ title, link }) => [title, link])).toEqual([
    ['4 after-sales orders: waiting to be accepted', '/ordersList?waiting=true'],
  ]);
});

test('many that are due at once lead to the list of that day', async () => {
  const dueOn = day(2).toISOString().slice(0, 10);
  for (let at = 0; at < 4; at += 1) {
    const { id } = await order({ dueOn });
    await receiveOrder(partner, id);
  }
  later(1);
  await remind();
  const { content } = await partner.call(messageCalls.page, {});
  expect(content.filter(({ title }) => title === '4 after-sales orders: due tomorrow').map(({ link }) => link)).toEqual([
    `/ordersList?dueOn=${dueOn}..${dueOn}`,
  ]);
});

test('costs that wait, and a terminal that nobody says is back, are told to who ordered', async () => {
  const { id, number } = await order();
  await receiveOrder(partner, id);
  await partner.call(orderCalls.quote, { id, diagnosis: 'The printer is worn.', labour: '20.00' });
  later(4);
  const waits = `Costs of order ${number} still wait for approval`;
  expect(await titles(customer)).toEqual([waits]);
  expect(await titles(partner)).toEqual([]);
  await customer.call(orderCalls.approveCosts, { id, total: 2000, currency: '1' });
  await partner.call(orderCalls.diagnose, { id });
  await partner.call(orderCalls.repaired, { id, workDone: 'Printer replaced.' });
  later(6);
  // Who has answered isn't reminded any more.
  expect(await titles(customer)).toEqual([]);
  later(1);
  const back = `Is the terminal of order ${number} back?`;
  expect(await titles(customer)).toEqual([back]);
  expect(await titles(customer)).toHaveLength(1);
  expect(await titles(partner)).toEqual([]);
});

test('a terminal that is accepted and not sent is told to who ordered after a week, until its shipping is entered', async () => {
  const [{ id, number }, sent] = [await order(), await order()];
  for (const one of [id, sent.id]) await partner.call(orderCalls.accept, { id: one });
  await customer.call(orderCalls.ship, { id: sent.id, carrier: 'DHL', number: '1' });
  later(6);
  expect(await titles(customer)).toEqual([]);
  later(1);
  expect(await titles(customer)).toEqual([`Is the terminal of order ${number} on its way?`]);
  later(1);
  expect(await titles(customer)).toHaveLength(1);
  expect(await titles(partner)).toEqual([]);
});

test('a word on warranty that nobody answers is told to who ordered after three days', async () => {
  const { id, number } = await order();
  await receiveOrder(partner, id);
  await app.context.unscoped((db) => db.updateTable('order_order').set({ warranty_until: '2999-12-31' }).where('id', '=', id).execute());
  await partner.call(orderCalls.quote, { id, diagnosis: 'Water inside.', covered: false, warrantyReason: 'Opened.' });
  later(2);
  expect(await titles(customer)).toEqual([]);
  later(1);
  expect(await titles(customer)).toEqual([`Order ${number}: no warranty, still to be answered`]);
  await customer.call(orderCalls.acceptWarranty, { id, diagnosis: 'Water inside.', warrantyReason: 'Opened.' });
  later(5);
  expect(await titles(customer)).toEqual([]);
});

test('two runs at once say it once', async () => {
  const { number } = await order();
  later(2);
  for (const _ of ['one', 'two']) await app.context.unscoped((db) => app.context.enqueue(db, 'order:remind', {}));
  await Promise.all([app.runJobs(), app.runJobs()]);
  expect((await titles(partner)).filter((title) => title === `Order ${number} waits to be accepted`)).toHaveLength(1);
});
