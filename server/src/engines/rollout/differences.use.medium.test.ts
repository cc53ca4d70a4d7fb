import { differenceCalls } from '@mooring/contract/firmware/package-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { differencesIn } from './differences.factory.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
const { bytes, next, all, listed, pair, added } = differencesIn(() => ({ app, admin }));

test('one that was asked for to be used at once is used once it is verified; one that is disabled waits for a person again', async () => {
  const of = await pair();
  const ask = (packageId: number, baseId: number) => admin.call(differenceCalls.add, { packageId, baseIds: [baseId], enableAtOnce: true });
  await ask(of.packageId, of.baseId);
  expect(await listed(of.packageId)).toMatchObject([{ state: 'generating', enableAtOnce: true }]);
  await all();
  const [used] = await listed(of.packageId);
  expect(used).toMatchObject({ state: 'enabled', verification: '1' });
  await admin.call(differenceCalls.disable, { id: used?.id ?? 0 });
  await admin.call(differenceCalls.regenerate, { id: used?.id ?? 0 });
  await all();
  expect(await listed(of.packageId)).toMatchObject([{ state: 'verified', enableAtOnce: false }]);

  const large = await pair(0.8);
  await ask(large.packageId, large.baseId);
  await all();
  expect(await listed(large.packageId)).toMatchObject([{ state: 'verified', worth: false }]);
});

test('it goes into use by itself only while whoever asked for that may still do it, and not once it is made again', async () => {
  const leaver = await app.person('platformAdmin', app.root);
  const of = await pair();
  await leaver.call(differenceCalls.add, { packageId: of.packageId, baseIds: [of.baseId], enableAtOnce: true });
  await app.context.unscoped((db) => sql`update account_user set state = '1' where id = ${leaver.userId}`.execute(db));
  await all();
  expect(await listed(of.packageId)).toMatchObject([{ state: 'verified' }]);

  const given = await pair();
  await admin.call(differenceCalls.add, { packageId: given.packageId, baseIds: [given.baseId], enableAtOnce: true });
  const [row] = await listed(given.packageId);
  expect(await admin.call(differenceCalls.giveUp, { id: row?.id ?? 0 })).toMatchObject({ enableAtOnce: false });
  const other = await app.person('platformAdmin', app.root);
  await other.call(differenceCalls.regenerate, { id: row?.id ?? 0 });
  await all();
  expect(await listed(given.packageId)).toMatchObject([{ state: 'verified' }]);
});

test('a disk that is full for a moment while it is tried keeps it waiting, and says nothing of it', async () => {
  const of = await pair();
  const { id } = await added(of);
  await all();
  await app.context.unscoped((db) => sql`update rollout_difference set state = 'made', tries = 0 where id = ${id}`.execute(db));
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const store = { ...bytes().store, read: () => Promise.reject(full) };
  for (const _time of [1, 2, 3, 4]) {
    expect(await next(undefined, { ...bytes(), store })).toBe(false);
    expect(await listed(of.packageId)).toMatchObject([{ state: 'made', reason: null }]);
  }
  await all();
  expect(await listed(of.packageId)).toMatchObject([{ state: 'verified', verification: '1' }]);
});
