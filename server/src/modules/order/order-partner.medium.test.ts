import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { RETURN_DAYS } from '@mooring/contract/order/state-machines';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld, receiveOrder } from './order.factory.ts';

/** What the service partner does where things don't go on as they should. */
let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let partner: Client;
let customer: Client;
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank: partner, ofBranch: customer, productId } = await orderWorld());
});
afterAll(() => app.stop());

async function order() {
  const [device] = await makeStocked(app, branch, productId, 1, '1');
  return { ...(await makeOrder(customer, device?.id ?? 0, bank.id)), deviceId: device?.id ?? 0 };
}
const actsOf = async (who: Client, id: number) => (await who.call(orderCalls.detail, { id })).allowedActions;
const lastOf = async (id: number) => (await customer.call(orderCalls.entries, { id })).content[0];
const inbox = async (who: Client, number: string) => {
  await app.runJobs();
  return (await who.call(messageCalls.page, { page: { size: 200 } })).content
    .map(({ title }) => title)
    .filter((title) => title.includes(number));
};

test('the partner declines an order before the terminal is there, with a reason that who ordered reads', async () => {
  for (const isAccepted of [false, true]) {
    const { id, number, deviceId } = await order();
    if (isAccepted) await partner.call(orderCalls.accept, { id });
    expect(await actsOf(partner, id)).toContain('decline');
    expect(await actsOf(customer, id)).not.toContain('decline');
    expect(await faultOf(customer.send(orderCalls.decline, { id, reason: 'x' }))).toBe('ORDER_SIDE');
    expect(await faultOf(partner.send(orderCalls.decline, { id, reason: ' ' }))).toBe('BAD_INPUT');
    expect(await partner.call(orderCalls.decline, { id, reason: 'No spare parts' })).toMatchObject({ state: 'cancelled' });
    expect(await customer.call(orderCalls.detail, { id })).toMatchObject({ reason: 'No spare parts', closedAt: expect.anything() });
    expect(await lastOf(id)).toMatchObject({ event: 'decline', side: 'service', text: 'No spare parts' });
    expect(await inbox(customer, number)).toContain(`Order ${number} was declined by the service partner`);
    expect(await faultOf(partner.send(orderCalls.decline, { id, reason: 'Again' }))).toBe('OVERTAKEN');
    // The terminal is free to be ordered anew.
    await makeOrder(customer, deviceId, branch.id);
  }
  const { id } = await order();
  await receiveOrder(partner, id);
  expect(await faultOf(partner.send(orderCalls.decline, { id, reason: 'Too late' }))).toBe('OVERTAKEN');
});

test('who has had the terminal, or to whom it travels, sends it back instead of declining', async () => {
  const { id } = await order();
  await receiveOrder(partner, id);
  await partner.call(orderCalls.unreceive, { id, reason: 'Another parcel' });
  expect(await faultOf(partner.send(orderCalls.decline, { id, reason: 'Gone' }))).toBe('ORDER_SENT');
  const { id: sent } = await order();
  const { revision } = await partner.call(orderCalls.accept, { id: sent });
  await customer.call(orderCalls.ship, { id: sent, revision, carrier: 'Post', number: 'P1' });
  expect(await actsOf(partner, sent)).not.toContain('decline');
  expect(await faultOf(partner.send(orderCalls.decline, { id: sent, reason: 'Busy' }))).toBe('ORDER_SENT');
});

test('of two who accept and decline at once one is overtaken', async () => {
  const colleague = await app.person('orgManager', bank, 'manager');
  for (let round = 0; round < 3; round += 1) {
    const { id } = await order();
    await partner.call(orderCalls.accept, { id });
    const answers = await Promise.all([
      partner.send(orderCalls.receive, { id }),
      colleague.send(orderCalls.decline, { id, reason: 'No parts' }),
    ]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409]);
    const other = await order();
    const both = await Promise.all([
      partner.send(orderCalls.accept, { id: other.id }),
      colleague.send(orderCalls.decline, { id: other.id, reason: 'No parts' }),
    ]);
    // An accepted order may still be declined; a declined one isn't accepted any more.
    const { state } = await customer.call(orderCalls.detail, { id: other.id });
    expect([both.map(({ code }) => code).toSorted(), state]).toEqual(
      both[0]?.code === 200 ? [[200, 200], 'cancelled'] : [[200, 409], 'cancelled'],
    );
  }
});

test('what was marked as received by mistake is expected again, until something was entered', async () => {
  const { id, number } = await order();
  await receiveOrder(partner, id);
  expect(await inbox(customer, number)).toContain(`Terminal of order ${number} arrived`);
  expect(await faultOf(customer.send(orderCalls.unreceive, { id, reason: 'x' }))).toBe('ORDER_SIDE');
  expect(await faultOf(partner.send(orderCalls.unreceive, { id, reason: '' }))).toBe('BAD_INPUT');
  expect(await actsOf(partner, id)).toContain('unreceive');
  expect(await partner.call(orderCalls.unreceive, { id, reason: 'Another parcel' })).toMatchObject({ state: 'accepted' });
  expect(await lastOf(id)).toMatchObject({ event: 'unreceive', text: 'Another parcel' });
  const told = await inbox(customer, number);
  expect(told).toContain(`Terminal of order ${number} hasn’t arrived after all`);
  expect(told).not.toContain(`Terminal of order ${number} arrived`);
  await partner.call(orderCalls.receive, { id });
  await partner.call(orderCalls.quote, { id, diagnosis: 'Roller worn' });
  expect(await actsOf(partner, id)).not.toContain('unreceive');
  expect(await faultOf(partner.send(orderCalls.unreceive, { id, reason: 'x' }))).toBe('ORDER_DIAGNOSED');
});

test('a return that nobody confirms is closed by the partner after two weeks, and no day before', async () => {
  const { id, number } = await order();
  await receiveOrder(partner, id);
  await partner.call(orderCalls.refuse, { id, reason: 'Beyond repair' });
  const since = app.clock.now;
  const closing = { id, reason: 'Signed for by Ann at the post' };
  const early = await partner.send(orderCalls.closeReturn, closing);
  const from = new Date(since.getTime() + RETURN_DAYS * 86_400_000);
  expect(early.body).toMatchObject({ fault: 'ORDER_RETURN_EARLY' });
  expect(early.message).toContain(
    `${RETURN_DAYS} days to confirm the delivery. You can close the order from ${from.toISOString().slice(0, 10)}`,
  );
  expect(await customer.call(orderCalls.detail, { id })).toMatchObject({ returnedAt: since.toISOString() });
  expect(await actsOf(partner, id)).not.toContain('closeReturn');
  try {
    app.clock.now = from;
    expect(await actsOf(partner, id)).toContain('closeReturn');
    expect(await actsOf(customer, id)).not.toContain('closeReturn');
    expect(await faultOf(customer.send(orderCalls.closeReturn, closing))).toBe('ORDER_SIDE');
    expect(await faultOf(partner.send(orderCalls.closeReturn, { id, reason: '' }))).toBe('BAD_INPUT');
    expect(await inbox(customer, number)).toContain(`Terminal of order ${number} comes back`);
    await partner.call(orderCalls.closeReturn, closing);
    expect(await customer.call(orderCalls.detail, { id })).toMatchObject({ state: 'closed', reason: 'Beyond repair', returnedAt: null });
    expect(await lastOf(id)).toMatchObject({ event: 'closeReturn', text: closing.reason });
    const told = await inbox(customer, number);
    expect(told).toContain(`Order ${number} closed without your confirmation`);
    expect(told).not.toContain(`Terminal of order ${number} comes back`);
    expect(await faultOf(partner.send(orderCalls.closeReturn, closing))).toBe('OVERTAKEN');
  } finally {
    app.clock.now = since;
  }
});
