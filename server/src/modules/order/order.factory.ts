import { orderCalls } from '@mooring/contract/order/calls';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, testApp } from '../../../test/test-app.ts';

/** A bank and a branch of it, of which the one repairs what the other orders, and what they have. */
export async function orderWorld() {
  const app = await testApp();
  const bank = await app.dept('Bank', { id: 2, path: '1.2.' });
  const branch = await app.dept('Branch', bank);
  const ofBank = await app.person('orgManager', bank, 'manager');
  const ofBranch = await app.person('orgManager', branch, 'manager');
  return { app, bank, branch, ofBank, ofBranch, productId: await makeProduct(app, app.root) };
}

/** An order for a terminal, that a partner is to repair. */
export const makeOrder = (who: Client, deviceId: number, partnerId: number, more: object = {}) =>
  who.call(orderCalls.add, { deviceId, partnerId, fault: 'printer', ...more });

/** On to the state in which the partner has the terminal. */
export async function receiveOrder(partner: Client, id: number): Promise<void> {
  await partner.call(orderCalls.accept, { id });
  await partner.call(orderCalls.receive, { id });
}

/** The numbers of the orders that somebody finds, in the order of the list. */
export const numbersOf = async (who: Client, criteria: object = {}) =>
  (await who.call(orderCalls.page, { criteria })).content.map(({ number }) => number);
