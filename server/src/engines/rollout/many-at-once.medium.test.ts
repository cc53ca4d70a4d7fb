import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { estate } from '../../modules/device/device.factory.ts';
import type { Db } from '../../platform/context.ts';
import { processBatch } from '../../platform/gateway/process-batch.ts';
import { rolloutMessages } from './handle-results.ts';
import { curveOf } from './result-queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

const one = async <T>(db: Db, query: ReturnType<typeof sql>) => (await query.execute(db)).rows[0] as T;
const device = async (db: Db, sn: string, status = '3') => {
  const { productId } = await estate(db);
  return (
    await one<{ id: number }>(
      db,
      sql`insert into device (sn, name, status, product_id, dept_id, dept_path) values (${sn}, ${sn}, ${status}, ${productId}, 7, '1.2.7.') returning id`,
    )
  ).id;
};
const task = async (db: Db) => {
  const { productId } = await estate(db);
  return (
    await one<{ id: number }>(
      db,
      sql`insert into rollout_task (kind, name, package_id, product_id, release_scope, scope, delivery, state, dept_id, dept_path, created_by, created_by_name)
      values ('firmware', 'Many', 1, ${productId}, '0', '{}', '{}', 'running', 7, '1.2.7.', 1, 'admin') returning id`,
    )
  ).id;
};
const result = (taskId: number, deviceId: number, sn: string) =>
  sql`insert into rollout_result (task_id, kind, device_id, sn, ring, state, next_at, tries_left, offer, dept_path)
    values (${taskId}, 'firmware', ${deviceId}, ${sn}, 1, '2', now(), 0, ${`o-${sn}`}, '1.2.7.') returning id`;

test('a result belongs to a task that is there, and goes with it', async () => {
  const { unscoped } = app.context;
  const [deviceId, taskId] = await unscoped(async (db) => [await device(db, 'MANY-1'), await task(db)] as const);
  await expect(unscoped((db) => result(999_999_999, deviceId, 'MANY-1').execute(db))).rejects.toThrow(/no task/);
  await unscoped((db) => result(taskId, deviceId, 'MANY-1').execute(db));
  await unscoped((db) => sql`delete from rollout_task where id = ${taskId}`.execute(db));
  expect(await unscoped((db) => one(db, sql`select count(*)::int as n from rollout_result where task_id = ${taskId}`))).toEqual({ n: 0 });
});

test('who is shut out is noted when it begins and when it ends', async () => {
  const { unscoped } = app.context;
  const listed = (id: number) => unscoped((db) => one(db, sql`select count(*)::int as n from device_shut where device_id = ${id}`));
  const id = await unscoped((db) => device(db, 'MANY-2', '4'));
  expect(await listed(id)).toEqual({ n: 1 });
  const becomes = async (set: ReturnType<typeof sql>) => {
    await unscoped((db) => sql`update device set ${set} where id = ${id}`.execute(db));
    return listed(id);
  };
  expect(await becomes(sql`deleted_at = now()`)).toEqual({ n: 1 });
  expect(await becomes(sql`status = '2'`)).toEqual({ n: 1 });
  expect(await becomes(sql`deleted_at = null`)).toEqual({ n: 0 });
  expect(await becomes(sql`firmware = '1'`)).toEqual({ n: 0 });
  expect(await becomes(sql`status = '4'`)).toEqual({ n: 1 });
});

test('progress and result of one batch: the result stands, the curve counts it once, and a unit that moves counts nobody again', async () => {
  const { unscoped } = app.context;
  const taskId = await unscoped(async (db) => {
    const [deviceId, id] = [await device(db, 'MANY-3'), await task(db)];
    const { id: resultId } = await one<{ id: number }>(db, result(id, deviceId, 'MANY-3'));
    await sql`insert into rollout_attempt (offer, result_id, device_id, no, dept_path) values ('o-MANY-3', ${resultId}, ${deviceId}, 1, '1.2.7.')`.execute(
      db,
    );
    return id;
  });
  const said = { sn: 'MANY-3', at: new Date(), receivedAt: new Date() };
  await processBatch({ app: app.context, handlers: rolloutMessages([]), refuse: () => {}, ack: () => {}, stopped: () => false }, [
    { ...said, kind: 'progress', id: 'p-1', data: { offer: 'o-MANY-3', phase: 'downloading', percent: 40 } },
    { ...said, kind: 'result', id: 'r-1', data: { offer: 'o-MANY-3', outcome: 'success', version: '2.0' } },
  ]);
  const counted = () =>
    unscoped((db) => one(db, sql`select sum(n)::int as n from rollout_minute where task_id = ${taskId} and state = '3'`));
  expect(await unscoped((db) => one(db, sql`select state, phase, version from rollout_result where task_id = ${taskId}`))).toEqual({
    state: '3',
    phase: null,
    version: '2.0',
  });
  expect(await counted()).toEqual({ n: 1 });
  await unscoped((db) => sql`update rollout_result set dept_path = '1.2.8.' where task_id = ${taskId}`.execute(db));
  expect(await counted()).toEqual({ n: 1 });
});

test('a failed device that is tried again leaves the curve, and a late success takes its time-out’s place', async () => {
  const { unscoped } = app.context;
  const ends = await unscoped(async (db) => {
    const id = await task(db);
    for (const sn of ['CURVE-1', 'CURVE-2']) await one(db, result(id, await device(db, sn), sn));
    const become = (sn: string, state: string) =>
      sql`update rollout_result set state = ${state} where task_id = ${id} and sn = ${sn}`.execute(db);
    const curve = async () => Object.fromEntries((await curveOf(db, id)).map((one) => [one.state, one.count]));
    const seen: Record<string, number>[] = [];
    for (const [sn, state] of [
      ['CURVE-1', '4'],
      ['CURVE-2', '5'],
      ['CURVE-1', '1'],
      ['CURVE-2', '6'],
      ['CURVE-1', '3'],
    ] as const) {
      await become(sn, state);
      seen.push(await curve());
    }
    return seen;
  });
  expect(ends).toEqual([{ 4: 1 }, { 4: 1, 5: 1 }, { 5: 1 }, { 6: 1 }, { 3: 1, 6: 1 }]);
});
