import { merchantCalls } from '@mooring/contract/merchant/calls';
import { shopCalls } from '@mooring/contract/merchant/shop';
import type { Client } from '../../../test/test-app.ts';

let made = 0;
/** A merchant of an organisation. */
export const makeMerchant = (client: Client, deptId: number, more: object = {}) =>
  client.call(merchantCalls.add, { number: `M${++made}`, name: `Merchant ${made}`, deptId, ...more });
export const makeShop = (client: Client, merchantId: number, more: object = {}) =>
  client.call(shopCalls.add, { merchantId, number: `S${++made}`, name: `Shop ${made}`, ...more });
/** What a call was refused by. */
export const faultOf = async (asked: ReturnType<Client['send']>): Promise<string | number> => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
