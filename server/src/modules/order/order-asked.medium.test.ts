import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld, receiveOrder } from './order.factory.ts';

/** What people are asked for, and what becomes of it. */
let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let partner: Client;
let customer: Client;
let other: { readonly dept: DeptAt; readonly who: Client };
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank: partner, ofBranch: customer, productId } = await orderWorld());
  const dept = await app.dept('Workshop', branch);
  other = { dept, who: await app.person('orgManager', dept, 'manager') };
});
afterAll(() => app.stop());

async function order(more: object = {}) {
  const [device] = await makeStocked(app, branch, productId, 1, '1');
  return makeOrder(customer, device?.id ?? 0, bank.id, more);
}
const inbox = async (who: Client, number: string) => {
  await app.runJobs();
  const { content } = await who.call(messageCalls.page, { page: { size: 200 } });
  return content.filter(({ title }) => title.includes(number));
};
const titles = async (who: Client, number: string) => (await inbox(who, number)).map(({ title }) => title);

test('what is changed of a new order stands in its history, and the partner hears of it', async () => {
  const { id, number, revision } = await order();
  await customer.call(orderCalls.update, { id, revision, partnerId: bank.id, fault: 'screen', contactName: 'Ann', dueOn: '2999-01-01' });
  const [entry] = (await partner.call(orderCalls.entries, { id })).content;
  expect(entry).toMatchObject({ event: 'update', side: 'customer', text: '', fields: ['contactName', 'fault', 'dueOn'] });
  expect(await titles(partner, number)).toContain(`Order ${number} was edited`);
  // What changes nothing is nobody's news.
  const before = (await titles(partner, number)).length;
  await customer.call(orderCalls.update, { id, partnerId: bank.id, fault: 'screen', contactName: 'Ann', dueOn: '2999-01-01' });
  expect((await titles(partner, number)).length).toBe(before);
  expect((await partner.call(orderCalls.entries, { id })).content.filter(({ event }) => event === 'update')).toHaveLength(1);
});

test('who was asked before another partner is has no way to the order any more, and is told so', async () => {
  const [kept, moved] = [await order(), await order()];
  await customer.call(orderCalls.say, { id: moved.id, text: 'Please hurry' });
  expect(await titles(partner, moved.number)).toHaveLength(2);
  const { id, number } = moved;
  await customer.call(orderCalls.update, { id, partnerId: other.dept.id, fault: 'printer' });
  const left = await inbox(partner, number);
  expect(left.map(({ title, link }) => [title, link])).toEqual([[`Order ${number} was given to another service partner`, null]]);
  expect(await titles(partner, kept.number)).toEqual([`New after-sales order ${kept.number}`]);
  expect(await titles(other.who, number)).toContain(`New after-sales order ${number}`);
  expect((await customer.call(orderCalls.entries, { id })).content[0]).toMatchObject({ event: 'update', fields: ['partnerId'] });
  expect(await faultOf(partner.send(orderCalls.accept, { id }))).not.toBe('');
});

test('what was asked of the former partner is withdrawn with the edit, and not without it', async () => {
  const { id, number } = await order();
  const asked = [`New after-sales order ${number}`];
  expect(await titles(partner, number)).toEqual(asked);
  const edited = { id, partnerId: other.dept.id, fault: 'printer' };
  const { owner: pool } = app.context.pools;
  const waits = "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const holding = await pool.connect();
  try {
    // Held is what the edit refers to: it waits with its last words unsaid.
    await holding.query('begin');
    await holding.query('select from org_dept where id = $1 for update', [other.dept.id]);
    const editing = customer.send(orderCalls.update, edited);
    await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1);
    await pool.query(`select pg_cancel_backend(pid) from (${waits}) w`);
    expect((await editing).code).toBe(500);
  } finally {
    await holding.query('rollback');
    holding.release();
  }
  expect(await customer.call(orderCalls.detail, { id })).toMatchObject({ partnerId: bank.id });
  expect(await titles(partner, number)).toEqual(asked);
  await customer.call(orderCalls.update, edited);
  // Given back at once, it is asked for anew, and that stays.
  await customer.call(orderCalls.update, { ...edited, partnerId: bank.id });
  expect((await titles(partner, number)).filter((title) => title === asked[0])).toEqual(asked);
  expect((await titles(other.who, number)).filter((title) => title === asked[0])).toEqual([]);
});

const denied = { diagnosis: 'Water inside', labour: '30', covered: false, warrantyReason: 'Opened' };
test.each([
  ['approveCosts', { total: 3000, currency: '1' }],
  ['declineCosts', { reason: 'Too dear' }],
  ['disputeWarranty', { reason: 'It came like that' }],
] as const)('who answers the costs has nobody else asked any more: %s', async (act, input) => {
  const colleague = await app.person('orgManager', branch, 'manager');
  const { id, number } = await order();
  await receiveOrder(partner, id);
  await partner.call(orderCalls.quote, { id, ...denied });
  const asked = `Approve the costs of order ${number}`;
  expect(await titles(colleague, number)).toContain(asked);
  await partner.call(orderCalls.say, { id, text: 'Please answer' });
  await customer.call(orderCalls[act] as typeof orderCalls.declineCosts, { id, ...input } as never);
  expect(await titles(colleague, number)).not.toContain(asked);
  const rest = await titles(customer, number);
  expect([rest.includes(asked), rest.includes(`Message about order ${number}`)]).toEqual([false, true]);
});

test('nor who agrees that no warranty covers it, nor who cancels, nor where the partner accepts or declines', async () => {
  const colleague = await app.person('orgManager', branch, 'manager');
  const { id, number } = await order();
  await receiveOrder(partner, id);
  await app.context.unscoped((db) => db.updateTable('order_order').set({ warranty_until: '2999-12-31' }).where('id', '=', id).execute());
  await partner.call(orderCalls.quote, { id, ...denied, labour: '' });
  const asked = `Order ${number}: no warranty, please answer`;
  expect(await titles(colleague, number)).toContain(asked);
  await customer.call(orderCalls.acceptWarranty, { id, diagnosis: denied.diagnosis, warrantyReason: denied.warrantyReason });
  expect(await titles(colleague, number)).not.toContain(asked);

  for (const [who, act, input] of [
    [customer, orderCalls.cancel, { reason: 'Works again' }],
    [partner, orderCalls.decline, { reason: 'No parts' }],
    [partner, orderCalls.accept, {}],
  ] as const) {
    const one = await order();
    const fresh = `New after-sales order ${one.number}`;
    const second = await app.person('orgManager', bank, 'manager');
    expect(await titles(partner, one.number)).toContain(fresh);
    await who.call(act as typeof orderCalls.cancel, { id: one.id, ...input });
    for (const reader of [partner, second]) expect(await titles(reader, one.number)).not.toContain(fresh);
  }
});

test('a due date that is over is refused at its field, wherever it is set or changed; one that was there stays', async () => {
  const day = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const [device] = await makeStocked(app, branch, productId, 1, '1');
  const past = await customer.send(orderCalls.add, { deviceId: device?.id ?? 0, partnerId: bank.id, fault: 'x', dueOn: day(-1) });
  expect(past.body).toMatchObject({ fault: 'ORDER_DUE_PAST', fields: { dueOn: expect.anything() } });
  const { id } = await order({ dueOn: day(0) });
  const edited = { id, partnerId: bank.id, fault: 'printer' };
  expect(await faultOf(customer.send(orderCalls.update, { ...edited, dueOn: day(-1) }))).toBe('ORDER_DUE_PAST');
  expect(await faultOf(partner.send(orderCalls.accept, { id, dueOn: day(-1) }))).toBe('ORDER_DUE_PAST');
  const before = app.clock.now;
  try {
    app.clock.now = new Date(before.getTime() + 2 * 86_400_000);
    await customer.call(orderCalls.update, { ...edited, description: 'No paper feed', dueOn: day(-2) });
    await partner.call(orderCalls.accept, { id, dueOn: day(-2) });
    expect(await faultOf(partner.send(orderCalls.assign, { id, dueOn: day(-1) }))).toBe('ORDER_DUE_PAST');
    expect(await partner.call(orderCalls.assign, { id, dueOn: day(0) })).toMatchObject({ dueOn: day(0), late: false });
  } finally {
    app.clock.now = before;
  }
});
