import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import type { StoreKind } from '@mooring/contract/signing/limits';
import type { Client } from '../../../test/test-app.ts';

export const SUBJECT = 'CN=Acme Pay, O=Acme, C=GB';
let made = 0;
export const makeStore = async (as: Client, deptId: number, kind: StoreKind = 'software'): Promise<number> => {
  made += 1;
  return (await as.call(keyStoreCalls.add, { name: `Store ${made}`, deptId, kind })).id;
};

/** The newest request, as somebody else sees it. */
export const newestChange = async (as: Client) => {
  const [first] = (await as.call(keyChangeCalls.page, {})).content;
  if (!first) throw new Error('no change waits');
  return first;
};

type Generated = Partial<ParsedInputOf<typeof signingKeyCalls.generate>>;
/** A key that two people made: the first one asks, the second one approves. */
export async function makeKey(author: Client, approver: Client, storeId: number, of: Generated = {}): Promise<number> {
  made += 1;
  const input = { storeId, name: `Key ${made}`, algorithm: 'p256' as const, subject: SUBJECT, ...of };
  await author.call(signingKeyCalls.generate, input);
  const { id, keyId } = await newestChange(approver);
  await approver.call(keyChangeCalls.approve, { id });
  return keyId;
}
