import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing, rolloutsOf } from './release.factory.ts';
import type { RolloutKind } from './task.ts';
import { round } from './tick.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
let productId: number;
let packageId: number;
const { settle, sns, release, offers, subscribe, tally } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '9.0.0');
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
async function terminals(count: number): Promise<string[]> {
  const names = sns(count);
  await makeDevices(app, owner, productId, names);
  return names;
}
/** The engine's turns with a kind of firmware that is in part another. */
async function settleWith(more: Partial<RolloutKind>): Promise<void> {
  const { kinds, tell } = rolloutsOf(app);
  const changed = kinds.map((kind) => (kind.of.kind === 'firmware' ? { ...kind, ...more } : kind));
  for (let turns = 0; turns < 20 && (await round(app.context, { kinds: changed, tell })); turns += 1);
}
async function enabled(devices: readonly string[]): Promise<number> {
  const scope = { releaseScope: '2' as const, sns: [...devices] };
  const task = await admin.call(taskCalls.add, { name: 'Served', packageId, scope });
  await admin.call(taskCalls.submit, { id: task.id });
  await admin.call(taskCalls.enable, { id: task.id });
  return task.id;
}
const rowsOf = async (taskId: number) =>
  (await admin.call(taskDeviceCalls.page, { criteria: { taskId } })).content.toSorted((a, b) => (a.sn < b.sn ? -1 : 1));

test('who will never be served ends with the reason, who can’t be for now is said to wait for it', async () => {
  const [never = '', later = ''] = await terminals(2);
  const id = await enabled([never, later]);
  const payloadsFor: RolloutKind['payloadsFor'] = async (_db, _app, _task, targets) =>
    new Map(targets.filter(({ sn }) => sn === never).map(({ deviceId }) => [deviceId, { unserved: 'productWrong' }]));
  await settleWith({ payloadsFor });
  expect((await rowsOf(id)).map(({ sn, state, reason, why }) => [sn, state, reason, why.key])).toEqual([
    [never, '4', 'productWrong', 'why.failed'],
    [later, '1', 'notServed', 'why.notServed'],
  ]);
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  await settle();
  expect(await tally(id)).toEqual({ '2': 1, '4': 1 });
  expect((await rowsOf(id))[1]).toMatchObject({ sn: later, reason: null });
});

test('a kind may say itself who runs a newer version; no version is looked up then', async () => {
  const [newer = '', other = ''] = await terminals(2);
  const id = await enabled([newer, other]);
  await settleWith({ isNewer: () => sql<boolean>`d.sn = ${newer}` });
  expect((await rowsOf(id)).map((row) => row.sn)).toEqual([other]);
});

test('a release that goes on leaves a terminal to the one that works on it meanwhile', async () => {
  const names = await terminals(1);
  const first = await release(names);
  const [offer] = await offers(first);
  if (!offer) throw new Error('no offer');
  await subscribe('progress', offer, { phase: 'downloading', percent: 40 });
  await admin.call(taskCalls.pause, { id: first });
  await settle();
  const second = await release(names, { onBusy: 'wait' });
  expect(await tally(second)).toEqual({ '2': 1 });
  await admin.call(taskCalls.recover, { id: first });
  await settle();
  expect(await tally(first)).toEqual({ '1': 1 });
  expect((await rowsOf(first))[0]?.why.key).toBe('why.busy');
  const [other] = await offers(second);
  if (other) await subscribe('result', other, { outcome: 'success' });
  await settle();
  expect(await tally(first)).toEqual({ '2': 1 });
});

test('a pause takes back what no terminal has answered; what is worked on goes on', async () => {
  const names = await terminals(2);
  const id = await release(names);
  const [working, silent] = await offers(id);
  if (!working || !silent) throw new Error('no offers');
  await subscribe('progress', working, { phase: 'received' });
  const said = async () =>
    (
      await run(
        sql<{
          key: string;
        }>`select key from gateway_outbox where key in (${working.offer}, ${silent.offer}) and state in ('waiting', 'sent')`,
      )
    ).map((row) => row.key);
  expect(await said()).toContain(silent.offer);
  await admin.call(taskCalls.pause, { id });
  await settle();
  expect(await said()).not.toContain(silent.offer);
  await admin.call(taskCalls.recover, { id });
  await settle();
  expect(await tally(id)).toEqual({ '2': 2 });
  const after = await offers(id);
  expect(after[0]?.offer).toBe(working.offer);
  expect(after[1]?.offer).not.toBe(silent.offer);
});
