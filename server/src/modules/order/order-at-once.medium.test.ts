import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld, receiveOrder } from './order.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let one: Client;
let other: Client;
let ofBranch: Client;
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank: one, ofBranch, productId } = await orderWorld());
  other = await app.person('orgManager', bank, 'manager');
});
afterAll(() => app.stop());

async function received(): Promise<number> {
  const [device] = await makeStocked(app, branch, productId, 1, '1');
  const { id } = await makeOrder(ofBranch, device?.id ?? 0, bank.id);
  await receiveOrder(one, id);
  return id;
}
const revisionOf = async (id: number) => (await ofBranch.call(orderCalls.detail, { id })).revision;
const parts = [{ name: 'Roller', quantity: 2, price: '10' }];
const quoted = { diagnosis: 'Roller worn', parts, labour: '10' };

describe('two engineers at once', () => {
  test('what one entered isn’t wiped by the form of the other, nor are its costs asked for again', async () => {
    const id = await received();
    const revision = await revisionOf(id);
    await one.call(orderCalls.quote, { id, revision, ...quoted });
    await ofBranch.call(orderCalls.approveCosts, { id, total: 3000, currency: '1' });
    expect(await faultOf(other.send(orderCalls.quote, { id, revision, diagnosis: 'Roller worn' }))).toBe('OVERTAKEN');
    expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ parts, labour: '10', costs: 'approved' });
    await other.call(orderCalls.quote, { id, revision: await revisionOf(id), ...quoted, labour: '20' });
    expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ labour: '20', costs: 'asked' });
  });

  test('nor does a form from before they were approved ask for them again', async () => {
    const id = await received();
    await one.call(orderCalls.quote, { id, ...quoted });
    const revision = await revisionOf(id);
    await ofBranch.call(orderCalls.approveCosts, { id, revision, total: 3000, currency: '1' });
    expect(await faultOf(one.send(orderCalls.quote, { id, revision, ...quoted }))).toBe('OVERTAKEN');
    expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ costs: 'approved' });
  });

  test.each([
    ['quote', (word: string) => ({ diagnosis: word })],
    ['assign', (word: string) => ({ dueOn: word === 'left' ? '2999-01-01' : '2999-01-02' })],
    ['ship', (word: string) => ({ carrier: word })],
  ] as const)('of two forms that are saved together one is told: %s', async (act, input) => {
    const id = await received();
    if (act === 'ship') await one.call(orderCalls.refuse, { id, reason: 'Beyond repair' });
    const revision = await revisionOf(id);
    const save = (who: Client, word: string) =>
      who.send(orderCalls[act] as typeof orderCalls.ship, { id, revision, ...input(word) } as never);
    const answers = await Promise.all([save(one, 'left'), save(other, 'right')]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409]);
    expect(await faultOf(save(other, 'right'))).toBe('OVERTAKEN');
    // Who names no revision overwrites.
    await other.call(orderCalls[act] as typeof orderCalls.ship, { id, ...input('right') } as never);
  });
});

describe('what came meanwhile isn’t answered unread', () => {
  test.each([
    ['approveCosts', { total: 3000, currency: '1' }],
    ['declineCosts', { reason: 'Too dear' }],
    ['acceptWarranty', { diagnosis: 'Roller worn', warrantyReason: 'Dropped' }],
    ['disputeWarranty', { reason: 'It came like that' }],
  ] as const)('%s', async (act, input) => {
    const id = await received();
    const denied = { ...quoted, covered: false, warrantyReason: 'Dropped' };
    await one.call(orderCalls.quote, { id, ...denied });
    const revision = await revisionOf(id);
    // The same sum and the same words, for something else.
    await other.call(orderCalls.quote, { id, ...denied, parts: [{ name: 'Battery', quantity: 1, price: '20' }] });
    const answer = (read: number) =>
      ofBranch.send(orderCalls[act] as typeof orderCalls.approveCosts, { id, revision: read, ...input } as never);
    expect(await faultOf(answer(revision))).toBe('OVERTAKEN');
    expect(await ofBranch.call(orderCalls.detail, { id })).toMatchObject({ costs: 'asked', warranty: 'denied' });
    expect((await answer(await revisionOf(id))).code).toBe(200);
  });

  test('nor where it comes in the same moment', async () => {
    const id = await received();
    await one.call(orderCalls.quote, { id, ...quoted });
    const revision = await revisionOf(id);
    const answers = await Promise.all([
      ofBranch.send(orderCalls.declineCosts, { id, revision, reason: 'Too dear' }),
      other.send(orderCalls.quote, { id, revision, ...quoted, labour: '' }),
    ]);
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 409]);
    const { costs } = await ofBranch.call(orderCalls.detail, { id });
    expect(costs).toBe(answers[0]?.code === 200 ? 'refused' : 'asked');
  });
});
