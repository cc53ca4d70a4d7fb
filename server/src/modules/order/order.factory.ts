import { orderCalls } from '@mooring/contract/order/calls';
import type { Client } from '../../../test/test-app.ts';

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
