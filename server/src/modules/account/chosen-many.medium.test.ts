import type { Call } from '@mooring/contract/kit/call';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { shopCalls } from '@mooring/contract/merchant/shop';
import { messageCalls } from '@mooring/contract/message/calls';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { makeMerchant, makeShop } from '../merchant/merchant.factory.ts';

const MANY = 60;
let app: TestApp;
let manager: Client;
let people: number[];
let depts: number[];
let merchants: number[];
let shops: number[];
beforeAll(async () => {
  app = await testApp();
  const bank = await app.dept('Bank');
  manager = await app.person('orgManager', bank, 'manager');
  const each = async <T>(make: (at: number) => Promise<T>) => {
    const all: T[] = [];
    for (let at = 0; at < MANY; at += 1) all.push(await make(at));
    return all;
  };
  people = await each(async () => (await app.person('orgMember', bank)).userId);
  depts = await each(async (at) => (await app.dept(`Branch ${at}`, bank)).id);
  merchants = await each(async () => (await makeMerchant(manager, bank.id)).id);
  shops = await each(async () => (await makeShop(manager, merchants[0] ?? 0)).id);
});
afterAll(() => app.stop());

test('whatever was chosen has its name again in the form, however much it is', async () => {
  const chosen: readonly (readonly [Call, () => number[]])[] = [
    [noticeCalls.people, () => people],
    [messageCalls.people, () => people],
    [deptCalls.search, () => depts],
    [merchantCalls.search, () => merchants],
    [shopCalls.search, () => shops],
  ];
  for (const [call, ids] of chosen) {
    const found = (await manager.call(call as typeof deptCalls.search, { ids: ids() })) as readonly { id: number }[];
    expect(
      found.map(({ id }) => id).toSorted((a, b) => a - b),
      call.path,
    ).toEqual(ids().toSorted((a, b) => a - b));
  }
  // As many as a release names.
  expect((await manager.send(deptCalls.search, { ids: Array.from({ length: 200 }, (_, at) => at + 1) })).code).toBe(200);
});
