import { dispatchCalls, transferCalls } from '@mooring/contract/inventory/dispatch';
import { arrivalCalls, receiptCalls } from '@mooring/contract/inventory/receipt';
import { custodyCalls } from '@mooring/contract/inventory/stock';
import type { Client, TestApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';

export { readFeed } from './sync/read-feed.ts';

let made = 0;
/** Terminals that lie in stock, or were never in contact. */
export async function makeStocked(
  test: TestApp,
  owner: DeptAt,
  productId: number,
  count: number,
  status = '5',
): Promise<{ id: number; sn: string }[]> {
  return test.context.unscoped((db) =>
    db
      .insertInto('device')
      .values(
        Array.from({ length: count }, () => {
          const sn = `STK${String(++made).padStart(5, '0')}`;
          return { sn, name: sn, status, product_id: productId, dept_id: owner.id, dept_path: owner.path };
        }),
      )
      .returning(['id', 'sn'])
      .execute(),
  );
}

/** A dispatch of these terminals that is sent to its receiver. */
export async function sendTo(sender: Client, toId: number, sns: readonly string[], more: object = {}): Promise<number> {
  const { id } = await sender.call(dispatchCalls.add, { toId, sns: [...sns], ...more });
  if (id === null) throw new Error('nothing was listed');
  await sender.call(dispatchCalls.transfer, { id });
  return id;
}
export const receiptOf = async (receiver: Client, text: string) =>
  (await receiver.call(receiptCalls.page, { criteria: { text } })).content[0];
export const arrivalsOf = async (receiver: Client, receiptId: number) =>
  (await receiver.call(arrivalCalls.page, { criteria: { receiptId } })).content;
export const transfersOf = async (sender: Client, dispatchId: number) =>
  (await sender.call(transferCalls.page, { criteria: { dispatchId } })).content.map(({ sn, state, reason }) => [sn, state, reason]);
export const custodyOf = async (who: Client, deviceId: number) =>
  (await who.call(custodyCalls.ofDevice, { deviceId })).content.map(({ event, from, to, document }) => [event, from, to, document]);
