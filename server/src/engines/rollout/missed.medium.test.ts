import { deviceCalls } from '@mooring/contract/device/calls';
import { preTaskCalls, taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { handleHello, timerWheel } from '../../modules/device/api.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import type { Db } from '../../platform/context.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { missed, wakeMissed } from './missed.ts';
import { releasing, rolloutsOf } from './release.factory.ts';
import { selectTargets } from './select-targets.ts';
import { kindNamed, readTask } from './task.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, release, offers, subscribe, tally } = releasing(
  () => app,
  () => admin,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

const run = <T = unknown>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);

/** A hello, as the gateway hands it on: in a transaction that ends after `meanwhile`. */
async function hello(sn: string, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  const [device] = await run(sql<{ id: number; path: string }>`select id, dept_path as path from device where sn = ${sn}`);
  const now = app.clock.now;
  const message = {
    sn,
    deviceId: device?.id,
    deptPath: device?.path,
    id: `h-${sn}`,
    at: now,
    receivedAt: now,
    data: { firmware: '1.0', product: 'X', capabilities: [] },
  } as unknown as UpMessage;
  await app.context.unscoped(async (db) => {
    await handleHello(timerWheel()).handle(db, [message], app.context);
    await meanwhile();
  });
}
const lose = async (sn: string) => {
  await run(sql`update device_presence set online = false where device_id = (select id from device where sn = ${sn})`);
  await run(sql`update device set status = '2' where sn = ${sn}`);
};
/** The next look for those that were missed, and what comes of it. */
const look = async () => {
  await app.context.inBulk((db) => wakeMissed(db, app.clock.now));
  await app.runJobs();
  await settle();
};
const offered = async (id: number) => (await offers(id)).map((one) => one.sn);

/** The choice of its terminals, in a transaction of somebody's. */
async function choose(db: Db, id: number): Promise<void> {
  const row = await db.selectFrom('rollout_task').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
  const kind = kindNamed(rolloutsOf(app).kinds, row.kind);
  if (kind) await selectTargets(db, app.context, kind, readTask(row));
}

test('a terminal whose first contact falls into the choice of terminals gets its release', async () => {
  const [sn = ''] = sns(1);
  await admin.call(deviceCalls.add, { sn, productId, deptId: bank.id });
  const { id } = await admin.call(preTaskCalls.add, { name: 'First contact', packageId, scope: { releaseScope: '0' }, release: true });
  await app.context.unscoped(async (db) => {
    await choose(db, id);
    await hello(sn);
  });
  await look();
  expect(await offered(id)).toEqual([sn]);
});

test('one that comes back gets it though it was chosen and put off before its hello was written', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, bank, productId, [sn]);
  await lose(sn);
  let id = 0;
  await hello(sn, async () => {
    id = await release([sn]);
    expect(await tally(id)).toEqual({ '1': 1 });
  });
  await look();
  expect(await offered(id)).toEqual([sn]);
});

test('one that comes back while a person tries it again gets it', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, bank, productId, [sn]);
  const id = await release([sn], { retries: 0 });
  const [offer] = await offers(id);
  if (!offer) throw new Error('nothing was sent');
  await subscribe('result', offer, { outcome: 'failure', reason: 'noSpace' });
  await lose(sn);
  await hello(sn, () => admin.call(taskDeviceCalls.retry, { of: { criteria: { taskId: id } } }));
  await look();
  expect(await offered(id)).toEqual([sn]);
});

test('one that came during a pause gets it as soon as the release goes on', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, bank, productId, [sn]);
  await lose(sn);
  const id = await release([sn]);
  await admin.call(taskCalls.pause, { id });
  await settle();
  expect(await tally(id)).toEqual({ '8': 1 });
  await hello(sn);
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  await admin.call(taskCalls.recover, { id });
  await settle();
  expect(await offered(id)).toEqual([sn]);
});

test('of the many that wait for an absent terminal none is read for it', async () => {
  const [here = '', away = ''] = sns(2);
  await makeDevices(app, bank, productId, [here, away]);
  const id = await release([here, away]);
  const { now } = app.clock;
  await lose(away);
  await run(
    sql`update rollout_result set state = '1', next_at = 'infinity', offer = null, due_at = null, changed_at = ${now} where task_id = ${id}`,
  );
  await run(sql`
    insert into rollout_result (task_id, kind, device_id, sn, ring, next_at, tries_left, changed_at, dept_path)
    select ${id}, 'firmware', -n, 'X' || n, 1, 'infinity', 0, ${now}::timestamptz - interval '1 hour', ${bank.path} from generate_series(1, 5000) n`);
  await app.context.pools.owner.query('analyze rollout_result, device_presence, device');
  const plan = await app.context.inBulk((db) => sql<{ 'QUERY PLAN': string }>`explain ${missed(now)}`.execute(db));
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/rollout_result_young/);
  await app.context.inBulk((db) => wakeMissed(db, now));
  const due = await run(sql<{ sn: string }>`select sn from rollout_result where task_id = ${id} and next_at < 'infinity'`);
  expect(due.map((row) => row.sn)).toEqual([here]);
});
