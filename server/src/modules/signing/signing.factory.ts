import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { keyStoreCalls } from '@mooring/contract/signing/key-store';
import type { StoreKind } from '@mooring/contract/signing/limits';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import type { Client, TestApp } from '../../../test/test-app.ts';

export { stampOf, TimeAway } from './ask-time.ts';

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
  return { ...first, keyId: first.keyId ?? 0, profileId: first.profileId ?? 0 };
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

type Profile = Partial<ParsedInputOf<typeof signingProfileCalls.add>> & { readonly name: string; readonly deptId: number };
/** A profile that two people made, as its author sees it. */
export async function makeProfile(author: Client, approver: Client, input: Profile) {
  await author.call(signingProfileCalls.add, input);
  await approver.call(keyChangeCalls.approve, { id: (await newestChange(approver)).id });
  const found = await author.call(signingProfileCalls.page, { criteria: { text: input.name } });
  const made = found.content.find(({ name }) => name === input.name);
  if (!made) throw new Error(`${input.name} isn’t there`);
  return made;
}

/** One of the whole installation that nobody asked for, for tests of something else. */
export async function insertProfile(app: TestApp, kind: 'none' | 'cms' = 'none'): Promise<number> {
  made += 1;
  const values = { name: `Profile ${made}`, kind, dept_id: app.root.id, dept_path: app.root.path };
  const insert = app.context.unscoped((db) => db.insertInto('signing_profile').values(values).returning('id').executeTakeFirstOrThrow());
  return (await insert).id;
}

/** A change of a profile, by two people. */
export async function changeProfile(author: Client, approver: Client, input: ParsedInputOf<typeof signingProfileCalls.update> | object) {
  const outcome = await author.call(signingProfileCalls.update, input as never);
  if (outcome) await approver.call(keyChangeCalls.approve, { id: outcome.changeRequestId });
}

export async function deleteProfile(author: Client, approver: Client, id: number) {
  await author.call(signingProfileCalls.delete, { id });
  await approver.call(keyChangeCalls.approve, { id: (await newestChange(approver)).id });
}
