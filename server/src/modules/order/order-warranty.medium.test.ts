import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld, receiveOrder } from './order.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let outsider: Client;
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank, ofBranch, productId } = await orderWorld());
  outsider = await app.person('orgManager', await app.dept('Other', { id: 2, path: '1.2.' }), 'manager');
});
afterAll(() => app.stop());

async function received(): Promise<number> {
  const [device] = await makeStocked(app, branch, productId, 1, '1');
  const { id } = await makeOrder(ofBranch, device?.id ?? 0, bank.id);
  await receiveOrder(ofBank, id);
  return id;
}
const denied = { diagnosis: 'Water inside', labour: '30', covered: false, warrantyReason: 'Opened by somebody else' };
const said = { diagnosis: denied.diagnosis, warrantyReason: denied.warrantyReason };
const onRecord = (id: number) =>
  app.context.unscoped((db) => db.updateTable('order_order').set({ warranty_until: '2999-12-31' }).where('id', '=', id).execute());
const seen = (id: number) => ofBranch.call(orderCalls.detail, { id });
const messagesOf = async (who: Client) => {
  await app.runJobs();
  return (await who.call(messageCalls.page, {})).content;
};
const titlesOf = async (who: Client) => (await messagesOf(who)).map(({ title }) => title);

test('what the partner says of the warranty is disputed, said anew and costs nothing then', async () => {
  const id = await received();
  await ofBank.call(orderCalls.quote, { id, ...denied });
  expect(await seen(id)).toMatchObject({ warranty: 'denied', warrantyReason: denied.warrantyReason, costs: 'asked' });
  await ofBranch.call(orderCalls.disputeWarranty, { id, reason: 'It came like that' });
  // Who disputes doesn't pay either.
  expect(await seen(id)).toMatchObject({ warranty: 'disputed', costs: 'refused' });
  expect(await faultOf(ofBank.send(orderCalls.diagnose, { id }))).toBe('ORDER_WARRANTY');
  expect((await ofBank.call(orderCalls.detail, { id })).allowedActions).not.toContain('diagnose');
  expect((await titlesOf(ofBank))[0]).toMatch(/warranty disputed$/);
  expect(await faultOf(ofBank.send(orderCalls.quote, { id, diagnosis: 'Roller', covered: true }))).toBe('BAD_INPUT');
  // A reason without a decision, and a dispute that is answered without one.
  expect(await faultOf(ofBank.send(orderCalls.quote, { id, diagnosis: 'Roller', warrantyReason: 'Worn' }))).toBe('BAD_INPUT');
  expect(await faultOf(ofBank.send(orderCalls.quote, { id, diagnosis: 'Roller' }))).toBe('BAD_INPUT');
  await ofBank.call(orderCalls.quote, { id, diagnosis: 'Roller', labour: '30', covered: true, warrantyReason: 'Goodwill' });
  expect(await seen(id)).toMatchObject({ warranty: 'covered', costs: 'none' });
  await ofBank.call(orderCalls.diagnose, { id });
  const { content } = await ofBranch.call(orderCalls.entries, { id });
  expect(content.map(({ event }) => event).slice(0, 6)).toEqual(['diagnose', 'covered', 'quote', 'disputeWarranty', 'denied', 'quote']);
});

test('who pays accepts that nothing covers it; without costs it is accepted apart', async () => {
  const id = await received();
  await ofBank.call(orderCalls.quote, { id, ...denied });
  await ofBranch.call(orderCalls.approveCosts, { id, total: 3000, currency: '1' });
  expect(await seen(id)).toMatchObject({ warranty: 'accepted', costs: 'approved' });
  expect(await faultOf(ofBranch.send(orderCalls.disputeWarranty, { id, reason: 'Late' }))).toBe('OVERTAKEN');
  const other = await received();
  await onRecord(other);
  await ofBank.call(orderCalls.quote, { id: other, ...denied, labour: '' });
  // Until it is agreed, nothing is repaired, and it waits for who ordered.
  expect(await faultOf(ofBank.send(orderCalls.diagnose, { id: other }))).toBe('ORDER_WARRANTY_OPEN');
  // Who has to answer isn't told that there is nothing to do.
  const { number } = await seen(other);
  const asked = (await messagesOf(ofBranch)).filter(({ title }) => title.includes(number));
  expect(asked[0]?.title).toBe(`Order ${number}: no warranty, please answer`);
  expect(asked.filter(({ text }) => text.includes('costs you nothing'))).toEqual([]);
  expect((await ofBank.call(orderCalls.detail, { id: other })).allowedActions).not.toContain('diagnose');
  const waiting = (who: Client) =>
    who.call(orderCalls.page, { criteria: { waiting: true } }).then(({ content }) => content.map(({ id: one }) => one));
  expect(await waiting(ofBranch)).toContain(other);
  expect(await waiting(ofBank)).not.toContain(other);
  // Other words came meanwhile.
  expect(await faultOf(ofBranch.send(orderCalls.acceptWarranty, { id: other, ...said, warrantyReason: 'Dropped' }))).toBe('OVERTAKEN');
  expect((await seen(other)).allowedActions).toEqual(expect.arrayContaining(['acceptWarranty', 'disputeWarranty']));
  await ofBranch.call(orderCalls.acceptWarranty, { id: other, ...said });
  expect(await seen(other)).toMatchObject({ warranty: 'accepted', costs: 'none' });
  // Said again without a word about it, it stays what it was, and is to be accepted anew.
  await ofBank.call(orderCalls.quote, { id: other, diagnosis: 'Mainboard', labour: '9' });
  expect(await seen(other)).toMatchObject({ warranty: 'denied', warrantyReason: denied.warrantyReason, costs: 'asked' });
});

test('who declines the costs has answered: what comes next is the partner’s', async () => {
  const id = await received();
  await ofBank.call(orderCalls.quote, { id, ...denied });
  expect([(await seen(id)).waiting, (await ofBank.call(orderCalls.detail, { id })).waiting]).toEqual([true, false]);
  await ofBranch.call(orderCalls.declineCosts, { id, reason: 'Too much' });
  expect(await seen(id)).toMatchObject({ warranty: 'denied', costs: 'refused', waiting: false });
  expect((await ofBank.call(orderCalls.detail, { id })).waiting).toBe(true);
  expect(await faultOf(ofBank.send(orderCalls.diagnose, { id }))).toBe('ORDER_COSTS');
});

test('a diagnosis that is only written out further doesn’t stop a repair that costs nothing', async () => {
  const id = await received();
  await onRecord(id);
  await ofBank.call(orderCalls.quote, { id, ...denied, labour: '' });
  await ofBranch.call(orderCalls.acceptWarranty, { id, ...said });
  await ofBank.call(orderCalls.diagnose, { id });
  const again = { id, ...denied, labour: '', diagnosis: 'Water inside, corroded' };
  expect(await ofBank.call(orderCalls.quote, again)).toMatchObject({
    state: 'repairing',
    warranty: 'accepted',
    diagnosis: again.diagnosis,
  });
  // For another reason it is another answer.
  expect(await ofBank.call(orderCalls.quote, { ...again, warrantyReason: 'Dropped' })).toMatchObject({
    state: 'received',
    warranty: 'denied',
  });
});

test('where no warranty is on record and nothing is to be paid, there is nothing to agree to', async () => {
  const id = await received();
  await ofBank.call(orderCalls.quote, { id, ...denied, labour: '' });
  expect(await seen(id)).toMatchObject({ warranty: 'accepted', costs: 'none' });
  await ofBank.call(orderCalls.diagnose, { id });
});

test('an organisation that repairs its own has nobody to ask', async () => {
  const [device] = await makeStocked(app, bank, productId, 1, '1');
  const { id } = await makeOrder(ofBank, device?.id ?? 0, bank.id);
  await receiveOrder(ofBank, id);
  expect(await ofBank.call(orderCalls.quote, { id, ...denied, warrantyReason: '' })).toMatchObject({ warranty: 'accepted', costs: 'none' });
});

test('nobody answers for the other side, nor twice, nor from elsewhere', async () => {
  const id = await received();
  expect(await faultOf(ofBranch.send(orderCalls.acceptWarranty, { id, ...said }))).toBe('OVERTAKEN');
  await ofBank.call(orderCalls.quote, { id, ...denied });
  expect(await faultOf(ofBank.send(orderCalls.acceptWarranty, { id, ...said }))).toBe('ORDER_SIDE');
  expect(await faultOf(ofBank.send(orderCalls.disputeWarranty, { id, reason: 'x' }))).toBe('ORDER_SIDE');
  expect(await faultOf(outsider.send(orderCalls.disputeWarranty, { id, reason: 'x' }))).toBe('NOT_FOUND');
  expect(await faultOf(ofBranch.send(orderCalls.disputeWarranty, { id, reason: ' ' }))).toBe('BAD_INPUT');
  expect(await faultOf(ofBranch.send(orderCalls.disputeWarranty, { id, reason: 'x'.repeat(2001) }))).toBe('BAD_INPUT');
  const both = await Promise.all([
    ofBranch.send(orderCalls.acceptWarranty, { id, ...said }),
    ofBranch.send(orderCalls.disputeWarranty, { id, reason: 'x' }),
  ]);
  expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409]);
});
