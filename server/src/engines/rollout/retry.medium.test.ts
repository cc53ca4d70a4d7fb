import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { wakeResults } from './handle-results.ts';
import { releasing } from './release.factory.ts';
import { isAtWork } from './send.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, release, offers, subscribe, tally, stateOf } = releasing(
  () => app,
  () => admin,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

/** A release to one terminal, which has failed there for good. */
async function failedRelease(): Promise<{ id: number; sn: string }> {
  const [sn = ''] = sns(1);
  await makeDevices(app, owner, productId, [sn]);
  const id = await release([sn], { retries: 0 });
  const [offer] = await offers(id);
  if (!offer) throw new Error('no offer');
  await subscribe('result', offer, { outcome: 'failure', reason: 'noSpace' });
  return { id, sn };
}

test('among the releases of a terminal one offers what may be done with it there: another try, or the way back', async () => {
  const { id, sn } = await failedRelease();
  const [device] = await app.context.unscoped((db) => db.selectFrom('device').select('id').where('sn', '=', sn).execute());
  const deviceId = device?.id ?? 0;
  const offered = async (by = admin) => (await by.call(deviceReleaseCalls.list, { deviceId })).map((row) => row.allowedActions);
  expect(await offered()).toEqual([['retry']]);
  const [release] = await admin.call(deviceReleaseCalls.list, { deviceId });
  await admin.call(taskDeviceCalls.retry, { of: { ids: [release?.id ?? 0] } });
  await settle();
  expect(await offered()).toEqual([[]]);
  const [offer] = await offers(id);
  if (!offer) throw new Error('no offer');
  await subscribe('result', offer, { outcome: 'success', version: '2.0' });
  expect(await offered()).toEqual([['revert']]);
  expect(await admin.call(taskCalls.previous, { id, deviceId })).toMatchObject([{ count: 1 }]);
  // The release is of the organisation above.
  expect(await offered(await app.person('orgManager', owner))).toEqual([[]]);
});

const WAITING = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

test('a result that another person retries at the same moment is refused to the second, not forgotten', async () => {
  const { id, sn } = await failedRelease();
  const { owner: pool } = app.context.pools;
  const other = await pool.connect();
  try {
    await other.query('begin');
    await other.query("update rollout_result set state = '1' where task_id = $1", [id]);
    const retry = admin.call(taskDeviceCalls.retry, { of: { criteria: { taskId: id } } });
    await expect.poll(async () => (await pool.query(WAITING)).rows.length).toBeGreaterThan(0);
    await other.query('commit');
    expect(await retry).toMatchObject({ total: 1, done: 0, refused: 1, failed: [{ label: sn, fault: 'DEVICE_STATE' }] });
  } finally {
    other.release();
  }
});

test('a release that ends at the moment of a retry runs again, with what was retried', async () => {
  const mine = sns(2);
  await makeDevices(app, owner, productId, mine);
  const id = await release(mine, { retries: 0 });
  const [first, second] = await offers(id);
  if (!first || !second) throw new Error('no offers');
  await subscribe('result', first, { outcome: 'failure', reason: 'noSpace' });
  const { owner: pool } = app.context.pools;
  const turn = await pool.connect();
  try {
    await turn.query('begin');
    await turn.query("update rollout_result set state = '3' where task_id = $1 and offer = $2", [id, second.offer]);
    await turn.query("update rollout_task set state = 'finished', ended_at = $2 where id = $1", [id, app.clock.now]);
    const retry = admin.call(taskDeviceCalls.retry, { of: { criteria: { taskId: id, state: '4' } } });
    await expect.poll(async () => (await pool.query(WAITING)).rows.length).toBeGreaterThan(0);
    await turn.query('commit');
    expect(await retry).toMatchObject({ total: 1, done: 1 });
  } finally {
    turn.release();
  }
  await settle();
  expect([await tally(id), await stateOf(id)]).toEqual([{ '2': 1, '3': 1 }, 'running']);
});

test('what failed in a release that was cancelled stays as it ended, one that is being cancelled too', async () => {
  const mine = sns(2);
  await makeDevices(app, owner, productId, mine);
  const id = await release(mine, { retries: 0 });
  const [first] = await offers(id);
  if (!first) throw new Error('no offer');
  await subscribe('result', first, { outcome: 'failure', reason: 'noSpace' });
  const retry = () => admin.send(taskDeviceCalls.retry, { of: { criteria: { taskId: id, state: '4' } } });
  const { owner: pool } = app.context.pools;
  const other = await pool.connect();
  try {
    await other.query('begin');
    await other.query("update rollout_task set state = 'cancelled', ended_at = $2 where id = $1", [id, app.clock.now]);
    const asked = retry();
    await expect.poll(async () => (await pool.query(WAITING)).rows.length).toBeGreaterThan(0);
    await other.query('commit');
    expect((await asked).body).toMatchObject({ fault: 'OVERTAKEN' });
  } finally {
    other.release();
  }
  expect((await retry()).body).toMatchObject({ done: 0, failed: [{ fault: 'DEVICE_STATE' }] });
  await settle();
  expect(await tally(id)).toEqual({ '4': 1, '9': 1 });
});

test('what fails at once and is tried again within the minute counts twice against the pace', async () => {
  const [early = '', late = ''] = sns(2);
  await makeDevices(app, owner, productId, [early]);
  const [lateId = 0] = await makeDevices(app, owner, productId, [late]);
  const present = (online: boolean) =>
    app.context.unscoped((db) => sql`update device_presence set online = ${online} where device_id = ${lateId}`.execute(db));
  const pass = (seconds: number) => {
    app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000);
  };
  await present(false);
  const id = await release([early, late], { pacePerMinute: 2, retryWaitSeconds: 1 });
  const [first] = await offers(id);
  if (!first) throw new Error('no offer');
  await subscribe('result', first, { outcome: 'failure', reason: 'noSpace' });
  pass(2);
  await settle();
  expect((await offers(id)).map((one) => one.sn)).toEqual([early]);
  await present(true);
  await app.context.unscoped((db) => wakeResults(db, [lateId], app.clock.now));
  await settle();
  expect((await offers(id)).map((one) => one.sn)).toEqual([early]);
  pass(59);
  await settle();
  expect(await tally(id)).toEqual({ '2': 2 });
});

test('a terminal that was moved out of reach, or deleted, is sent nothing again, by hand nor by itself; one moved within is, with its result', async () => {
  const away = await app.dept('Away');
  const below = await app.dept('Below', owner);
  const manager = await app.person('orgManager', owner);
  const mine = sns(5);
  const ids = await makeDevices(app, owner, productId, mine);
  const scope = { releaseScope: '2' as const, sns: mine };
  const delivery = { retries: 1, retryWaitSeconds: 1 };
  const task = await manager.call(taskCalls.add, { name: 'Own', packageId, scope, delivery, release: true });
  await settle();
  const move = (id: number, to: DeptAt) => sql`update device set dept_id = ${to.id}, dept_path = ${to.path} where id = ${id}`;
  const change = (...queries: ReturnType<typeof sql>[]) =>
    app.context.unscoped(async (db) => {
      for (const query of queries) await query.execute(db);
    });
  const [moved = 0, deleted = 0, late = 0, gone = 0, within = 0] = ids;
  await change(move(moved, away), sql`update device set deleted_at = now() where id = ${deleted}`);
  const sent = await offers(task.id);
  for (const offer of sent) await subscribe('result', offer, { outcome: 'failure', reason: 'noSpace' });
  // The others wait for their second try.
  expect(await tally(task.id)).toEqual({ '1': 3, '4': 2 });
  const retry = { of: { criteria: { taskId: task.id } } };
  expect(await admin.call(taskDeviceCalls.retry, { ...retry, preview: true })).toMatchObject({ total: 5, done: 0 });
  expect(await admin.call(taskDeviceCalls.retry, retry)).toMatchObject({ total: 5, done: 0 });
  // What follows terminals hasn't come to these yet.
  await change(move(late, away), move(within, below), sql`update device set deleted_at = now() where id = ${gone}`);
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  await settle();
  expect(await tally(task.id)).toEqual({ '2': 1, '4': 2, '9': 1, '10': 1 });
  const [last] = await offers(task.id);
  if (!last) throw new Error('no offer');
  await subscribe('result', last, { outcome: 'failure', reason: 'noSpace' });
  expect(await manager.call(taskDeviceCalls.retry, retry)).toMatchObject({ done: 1 });
  expect(await app.person('orgManager', below).then((one) => one.call(taskDeviceCalls.page, retry.of))).toMatchObject({ total: 1 });
});

test('terminals that wait for Wi-Fi, a restart or a person hold no place of those at once; those that wait for the window do', async () => {
  const mine = sns(6);
  await makeDevices(app, owner, productId, mine);
  const id = await release(mine, { paceAtOnce: 3 });
  const [first, second, third] = await offers(id);
  if (!first || !second || !third) throw new Error('no offers');
  const says = async (offer: typeof first, data: object) => {
    await subscribe('progress', offer, data);
    await settle();
    return (await offers(id)).length;
  };
  const waits = (reason: string) => ({ phase: 'waiting', reason });
  expect(await says(first, waits('window'))).toBe(3);
  expect(await says(second, waits('network'))).toBe(4);
  expect(await says(third, waits('user'))).toBe(5);
  // It goes on: there is one more at work than places, and nobody is sent it until two of them are not.
  expect(await says(second, { phase: 'downloading' })).toBe(5);
  expect(await says(first, waits('restart'))).toBe(5);
  expect(await says(second, waits('network'))).toBe(6);
});

test('who is at work is counted without a look at those that wait for a restart, however many they are', async () => {
  const { id } = await failedRelease();
  const plan = await app.context.unscoped(async (db) => {
    await sql`insert into rollout_result (task_id, kind, device_id, sn, ring, state, phase, reason, next_at, tries_left, dept_path)
      select ${id}, 'firmware', -n, n, 1, '2', 'waiting', 'restart', now(), 0, ${owner.path} from generate_series(1, 20000) n`.execute(db);
    await sql`analyze rollout_result`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select count(*) from rollout_result where task_id = ${id} and ${isAtWork}`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('rollout_result_at_work');
});

test('nothing is offered again once the time of its release is over', async () => {
  const { id } = await failedRelease();
  const offered = async () => (await admin.call(taskDeviceCalls.page, { criteria: { taskId: id } })).content[0]?.allowedActions ?? [];
  expect(await offered()).toContain('retry');
  await app.context.unscoped((db) => sql`update rollout_task set expires_at = ${app.clock.now} where id = ${id}`.execute(db));
  expect(await offered()).not.toContain('retry');
});
