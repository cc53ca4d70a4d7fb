import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { makeKey, makeStore, newestChange } from './signing.factory.ts';

/** People of an organisation above ask for a profile of a bank, whose own people read the request. */
let app: TestApp;
let group: DeptAt;
let bank: DeptAt;
let author: Client;
let second: Client;
let reader: Client;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  group = await app.dept('Group');
  bank = await app.dept('Bank', group);
  [author, second] = [await app.person('signingOfficer', group), await app.person('signingOfficer', group)];
  reader = await app.person('signingOfficer', bank);
});
afterAll(() => app?.stop());

const said = (changes: readonly { field: string; after: unknown }[], ...fields: readonly string[]) =>
  fields.map((field) => changes.find((one) => one.field === field)?.after);

test('who reads a request reads no names of people, products and keys past their sight', async () => {
  const [own, foreign] = [await makeProduct(app, bank, 'B1'), await makeProduct(app, await app.dept('Sister', group), 'S1')];
  const keyId = await makeKey(author, second, await makeStore(author, group.id), { name: 'Group key' });
  await author.call(signingProfileCalls.add, { name: 'Ours', deptId: bank.id, kind: 'cms', productIds: [own, foreign], keyId });
  const above = await newestChange(second);
  expect(above.author).toEqual(expect.any(String));
  expect(said(above.changes, 'covers', 'signsWith')).toEqual([['Product B1 (B1)', 'Product S1 (S1)'], 'Group key']);
  const below = await newestChange(reader);
  expect(below).toMatchObject({ id: above.id, author: null, keyName: 'Ours', deptName: 'Bank' });
  expect(said(below.changes, 'covers', 'signsWith')).toEqual([['Product B1 (B1)', null], [null]]);
  const read = await reader.send(keyChangeCalls.page, {});
  for (const name of [above.author, 'S1', 'Group key']) expect(JSON.stringify(read.body)).not.toContain(name);
  const approved = await second.call(keyChangeCalls.approve, { id: above.id });
  expect(approved.decidedBy).toEqual(expect.any(String));
  expect((await newestChange(reader)).decidedBy).toBeNull();
});

test('whoever decides reads the same in the answer as in the list, and their own name', async () => {
  await author.call(signingProfileCalls.add, { name: 'Refused', deptId: bank.id, kind: 'cms' });
  const { id } = await newestChange(reader);
  const answered = await reader.call(keyChangeCalls.refuse, { id, remark: 'no' });
  expect([answered.author, answered.decidedBy]).toEqual([null, expect.any(String)]);
  expect(await newestChange(reader)).toMatchObject({ author: null, decidedBy: answered.decidedBy });
});
