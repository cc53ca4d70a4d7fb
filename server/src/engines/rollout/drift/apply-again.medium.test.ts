import { softAppKind } from '@mooring/contract/app/app-kind';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { firmwareKind } from '@mooring/contract/firmware/kind';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { Call } from '@mooring/contract/kit/call';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { networkConfigKind } from '@mooring/contract/network-config/kind';
import { driftCallsFor } from '@mooring/contract/release-drift';
import { generalDriftCalls } from '@mooring/contract/task/calls';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { CERTIFICATE, listVersion } from '../../../modules/app/catalogue.factory.ts';
import type { DeptAt } from '../../../modules/org/api.ts';
import type { Db } from '../../../platform/context.ts';
import { inTx } from '../../../platform/db/lazy-tx.ts';
import { rolloutsOf } from '../release.factory.ts';
import { drifting } from './drift.factory.ts';
import { driftConditions, driftsOf, shownDrift } from './page-drift.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
let manager: Client;
let productId: number;
let packageId: number;
const { run, settle, look, answers, says, drifted, rows } = drifting(
  () => app,
  () => admin,
);
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', owner);
  productId = await makeProduct(app, app.root, 'A920');
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});
afterAll(() => app.stop());

let serial = 0;
let sns: string[] = [];
beforeEach(async () => {
  sns = Array.from({ length: 2 }, () => `AGAIN${String(++serial).padStart(4, '0')}`);
  await makeDevices(app, owner, productId, sns);
  for (const sn of sns) await says(sn, {});
});
const to = (names: readonly string[]) => ({ releaseScope: '2' as const, sns: [...names] });
const drift = driftCallsFor(firmwareKind);
const idsOf = async () => (await rows(firmwareKind.kind)).filter(({ sn }) => sns.includes(sn)).map(({ id }) => id);
const mine = async (kind: string = firmwareKind.kind) => (await drifted(kind)).filter(([sn]) => sns.includes(sn ?? ''));

/** They have firmware 2.0 by a release, and then somebody flashed 3.0. */
async function flashed(delivery: object = {}): Promise<number> {
  const { id } = await admin.call(taskCalls.add, { name: `Firmware ${serial}`, packageId, scope: to(sns), delivery, release: true });
  await settle();
  for (const sn of sns) {
    await answers(sn, id, { outcome: 'success', version: '2.0' });
    await says(sn, { firmware: '2.0' });
    await says(sn, { firmware: '3.0' });
  }
  await settle();
  return id;
}

test('what has drifted is applied again by one release to those alone, and is no drift until that has ended', async () => {
  await flashed();
  expect(await mine()).toEqual(sns.map((sn) => [sn, '', '2.0', '3.0']));
  const ids = await idsOf();
  expect(await admin.call(drift.applyAgain, { of: { ids }, preview: true })).toMatchObject({ total: 2, done: 0, refused: 0, releases: [] });
  const again = await admin.call(drift.applyAgain, { of: { ids } });
  expect(again).toMatchObject({
    total: 2,
    done: 2,
    refused: 0,
    releases: [{ kind: 'firmware', name: `Firmware ${serial} (again)`, terminals: 2 }],
  });
  expect(await mine()).toEqual([]);
  await look();
  expect(await mine()).toEqual([]);
  await settle();
  await look();
  expect(await mine()).toEqual([]);
  const taskId = again.releases[0]?.id ?? 0;
  const detail = await admin.call(taskCalls.detail, { id: taskId });
  expect(detail).toMatchObject({ scope: to(sns), delivery: { allowDowngrade: true }, tally: { '2': 2 }, package: { id: packageId } });
  const [one = '', other = ''] = sns;
  await answers(one, taskId, { outcome: 'success', version: '2.0' });
  await says(one, { firmware: '2.0' });
  await run(sql`update rollout_result set tries_left = 0 where task_id = ${taskId}`);
  await answers(other, taskId, { outcome: 'failure', reason: 'noSpace' });
  await look();
  expect(await mine()).toEqual([[other, '', '2.0', '3.0']]);
});

test('it goes out as the former one did, in its window and at its pace, but for its days', async () => {
  const how = {
    window: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:59', blackout: [] },
    ...{ download: 'window', install: 'ask', network: 'wifi', jitterSeconds: 30, pacePerMinute: 50, paceAtOnce: 20, timeoutMinutes: 45 },
    ...{ waitingDays: 3, haltPercent: 20, haltAfter: 5, retries: 4 },
  } as const;
  const expiresAt = new Date(app.clock.now.getTime() + 86_400_000).toISOString();
  await flashed({ ...how, expiresAt });
  const again = await admin.call(drift.applyAgain, { of: { ids: await idsOf() } });
  const { delivery } = await admin.call(taskCalls.detail, { id: again.releases[0]?.id ?? 0 });
  expect(delivery).toMatchObject({ ...how, allowDowngrade: true, expiresAt: null });
});

test('those that the release can’t reach any more stay listed, each with its reason; the preview says so too', async () => {
  await flashed();
  const [one = ''] = sns;
  await run(sql`update device set status = '4' where sn = ${one}`);
  const ids = await idsOf();
  const left = { refused: 1, failed: [{ label: one, fault: 'DEVICE_STATE' }] };
  expect(await admin.call(drift.applyAgain, { of: { ids }, preview: true })).toMatchObject({ total: 2, done: 0, ...left });
  expect(await admin.call(drift.applyAgain, { of: { ids } })).toMatchObject({ done: 1, ...left, releases: [{ terminals: 1 }] });
  await look();
  expect(await mine()).toEqual([[one, '', '2.0', '3.0']]);
  const product = await makeProduct(app, app.root);
  await run(sql`update device set status = '3', product_id = ${product} where sn = ${one}`);
  expect((await admin.send(drift.applyAgain, { of: { ids: await idsOf() } })).body?.fault).toBe('DRIFT_NO_PART');
});

test('one that isn’t among its terminals once they are gathered has drifted still', async () => {
  await flashed();
  const [one = '', other = ''] = sns;
  await admin.call(drift.applyAgain, { of: { ids: await idsOf() } });
  await run(sql`update device set status = '4' where sn = ${one}`);
  await look();
  expect(await mine()).toEqual([]);
  await settle();
  await look();
  expect(await mine()).toEqual([[one, '', '2.0', '3.0']]);
  expect(
    await run(sql`select w.busy from rollout_wanted w join device d on d.id = w.device_id where d.sn = ${other} and w.kind = 'firmware'`),
  ).toEqual([{ busy: true }]);
});

test('one that is taken back or sent back hides nothing, until it goes on', async () => {
  await flashed();
  const { releases } = await admin.call(drift.applyAgain, { of: { ids: await idsOf() } });
  const id = releases[0]?.id ?? 0;
  const listed = async () => {
    await look();
    return (await mine()).length;
  };
  await admin.call(taskCalls.disable, { id });
  expect(await listed()).toBe(2);
  await admin.call(taskCalls.enable, { id });
  expect(await listed()).toBe(0);
  for (const [state, count] of [
    ['auditing', 0],
    ['returned', 2],
    ['auditing', 0],
    ['draft', 2],
  ] as const) {
    await run(sql`update rollout_task set state = ${state} where id = ${id}`);
    expect(await listed()).toBe(count);
  }
});

test('where somebody must agree to it it is submitted, and says so', async () => {
  await flashed();
  const boss = await app.person('platformAdmin', app.root, 'manager');
  await boss.call(auditConfigCalls.add, { deptId: owner.id, taskType: '1', enabled: true });
  const again = await manager.call(drift.applyAgain, { of: { ids: await idsOf() } });
  expect(again).toMatchObject({ done: 2, releases: [{ approval: true, terminals: 2 }] });
  expect(await mine()).toEqual([]);
  await run(sql`delete from approval_config`);
});

test('of two whose choices overlap each releases to its own, and nobody’s is counted twice', async () => {
  await flashed();
  const [first = 0, second = 0] = await idsOf();
  const answered = await Promise.all([[first], [first, second]].map((ids) => admin.send(drift.applyAgain, { of: { ids } })));
  const made = answered.flatMap(
    ({ body }) => (body as unknown as { releases?: { id: number; terminals: number }[] } | null)?.releases ?? [],
  );
  expect(made.reduce((sum, { terminals }) => sum + terminals, 0)).toBe(2);
  for (const { id, terminals } of made)
    expect(await run(sql`select from rollout_wanted where again_task_id = ${id}`)).toHaveLength(terminals);
});

test('of all of a filter, but for those that are left out', async () => {
  await flashed();
  const [first = 0] = await idsOf();
  const criteria = { what: `Firmware ${serial}`, sn: 'AGAIN' };
  const again = await manager.call(drift.applyAgain, { of: { criteria, except: [first] } });
  expect(again.releases).toHaveLength(1);
  expect(await idsOf()).toEqual([first]);
});

test('twice at once makes one release', async () => {
  await flashed();
  const ids = await idsOf();
  const answered = await Promise.all([1, 2].map(() => admin.call(drift.applyAgain, { of: { ids } })));
  expect(answered.reduce((sum, one) => sum + one.done, 0)).toBe(2);
  expect(answered.flatMap(({ releases }) => releases)).toHaveLength(1);
});

test('a release that is taken back before it began leaves them drifted', async () => {
  await flashed();
  const again = await admin.call(drift.applyAgain, { of: { ids: await idsOf() } });
  await admin.call(taskCalls.cancel, { id: again.releases[0]?.id ?? 0 });
  await settle();
  await look();
  expect(await mine()).toHaveLength(2);
});

test('what can’t be released any more is refused with its reason, and stays drifted', async () => {
  const taskId = await flashed();
  const ids = await idsOf();
  await run(sql`update rollout_package set publish_state = '0' where id = ${packageId}`);
  expect(await admin.call(drift.applyAgain, { of: { ids } })).toMatchObject({
    done: 0,
    refused: 2,
    failed: sns.map((label) => ({ label, fault: 'PACKAGE_NOT_PUBLISHED' })),
    releases: [],
  });
  expect(await mine()).toHaveLength(2);
  await run(sql`delete from rollout_task where id = ${taskId}`);
  expect(await admin.call(drift.applyAgain, { of: { ids }, preview: true })).toMatchObject({
    refused: 2,
    failed: [{ fault: 'DRIFT_RELEASE_GONE' }, {}],
  });
  await run(sql`update rollout_package set publish_state = '1' where id = ${packageId}`);
});

test('bad input and foreign rows apply nothing', async () => {
  await flashed();
  const ids = await idsOf();
  const send = (client: Client, input: unknown, call: Call = drift.applyAgain) => client.send(call, input);
  for (const of of [{ ids: [] }, { ids: ['x'] }, { ids: Array.from({ length: 10_001 }, (_, at) => at + 1) }, {}, { criteria: { sn: '' } }])
    expect((await send(admin, { of })).code).toBe(400);
  const outsider = await app.person('orgManager', await app.dept('Stranger'));
  expect((await send(outsider, { of: { ids } })).body).toMatchObject({ total: 0, done: 0, releases: [] });
  // Another kind's calls don't know them.
  expect((await send(admin, { of: { ids } }, driftCallsFor(networkConfigKind).applyAgain)).body).toMatchObject({ total: 0, done: 0 });
  expect((await send(await app.person('orgMember', owner), { of: { ids } })).code).toBe(403);
  expect(await mine()).toHaveLength(2);
});

test('so many different releases at a time are refused', async () => {
  const [sn = ''] = sns;
  await run(sql`insert into rollout_wanted (device_id, kind, part, task_id, owner_dept_id, version, settled, at, sent_at, found, since, dept_path)
    select d.id, 'networkConfig', 'p' || n, n, ${owner.id}, 'x', true, now(), now(), 'y', now(), d.dept_path from device d, generate_series(1, 21) n where d.sn = ${sn}`);
  const answer = await admin.send(driftCallsFor(networkConfigKind).applyAgain, { of: { criteria: { sn } } });
  expect(answer).toMatchObject({ code: 400, body: { fault: 'DRIFT_MANY_RELEASES' } });
});

test('an app that is removed, replaced or signed by someone else has drifted by its package name, and goes out again', async () => {
  const [sn = '', other = ''] = sns;
  const versionId = await listVersion(app, admin, { at: app.root, packageName: 'com.d.pay', code: 5, products: [productId] });
  const { id } = await admin.call(softAppTaskCalls.add, { name: 'Pay', content: { versionId }, scope: to(sns), release: true });
  await settle();
  const apps = (code: number, certificate = CERTIFICATE) => ({ apps: [{ id: 'com.d.pay', code, certificate }] });
  for (const one of sns) {
    await answers(one, id, { outcome: 'success', version: '5' });
    await says(one, apps(5));
  }
  expect(await mine(softAppKind.kind)).toEqual([]);
  await says(sn, {});
  await says(other, apps(5, 'cd'.repeat(32)));
  expect(await mine(softAppKind.kind)).toEqual([
    [sn, 'com.d.pay', '5', null],
    [other, 'com.d.pay', '5', '(5)'],
  ]);
  await says(other, apps(5));
  // It was to be updated: that alone wouldn't reach where it has gone.
  await run(sql`update rollout_task set content = content || '{"action": "update"}' where id = ${id}`);
  const list = await admin.call(generalDriftCalls.page, { criteria: { kind: 'softApp' } });
  expect(list.content).toMatchObject([{ sn, kind: 'softApp', content: { packageName: 'com.d.pay' } }]);
  const again = await admin.call(generalDriftCalls.applyAgain, { of: { ids: list.content.map((row) => row.id) } });
  expect(again).toMatchObject({ done: 1, releases: [{ kind: 'softApp' }] });
  await settle();
  await answers(sn, again.releases[0]?.id ?? 0, { outcome: 'success', version: '5' });
  await says(sn, apps(5));
  expect(await mine(softAppKind.kind)).toEqual([]);
  const gone = { action: 'uninstall' as const, packageName: 'com.d.pay' };
  const task = await admin.call(softAppTaskCalls.add, { name: 'Away', content: gone, scope: to([sn]), release: true });
  await settle();
  await answers(sn, task.id, { outcome: 'success' });
  await says(sn, {});
  expect(await mine(softAppKind.kind)).toEqual([]);
  await says(sn, apps(5));
  expect(await mine(softAppKind.kind)).toEqual([[sn, 'com.d.pay', null, '5']]);
});

test('lists read by their indexes, however much is wanted', async () => {
  await run(sql`insert into device (sn, name, status, product_id, dept_id, dept_path, hello_hash)
    select 'MANY' || n, 'm', '3', ${productId}, ${owner.id}, ${owner.path}, 'x' from generate_series(1, 3000) n`);
  await run(sql`insert into rollout_wanted (device_id, kind, part, task_id, owner_dept_id, version, settled, at, sent_at, found, since, dept_path)
    select d.id, k.kind, '', 0, ${owner.id}, 'x', true, now(), now(), case when d.id % 50 = 0 then 'y' end, case when d.id % 50 = 0 then now() end, d.dept_path
    from device d, unnest('{firmware,patch,module,appPermission}'::text[]) as k(kind) where d.sn like 'MANY%' on conflict do nothing`);
  await app.context.pools.owner.query('analyze rollout_wanted, device');
  const { kinds } = rolloutsOf(app);
  const firmware = kinds.filter(({ of }) => of.kind === firmwareKind.kind);
  const plan = (make: (db: Db) => unknown) =>
    inTx(app.context.pools.app, owner.path, async (db) => {
      const { sql: text, parameters } = (make(db) as { compile(): CompiledQuery }).compile();
      const { rows: lines } = await db.executeQuery(CompiledQuery.raw(`explain ${text}`, [...parameters]));
      return JSON.stringify(lines);
    });
  const first = (db: Db) =>
    shownDrift(db, firmware).where(driftConditions({})).orderBy('w.since', 'desc').orderBy('w.id', 'desc').limit(11);
  expect(await plan(first)).toContain('rollout_wanted_drifted');
  expect(await plan((db) => driftsOf(db, firmware).select('w.id').limit(10_001))).toContain('rollout_wanted_drifted');
  const all = (db: Db) => shownDrift(db, kinds).where(driftConditions({})).orderBy('w.since', 'desc').orderBy('w.id', 'desc').limit(11);
  expect(await plan(all)).toContain('rollout_wanted_drifted');
});

test('a setting of a release is applied again with its values', async () => {
  const [sn = ''] = sns;
  const content = { setting: 'hotspot' as const, hotspot: true };
  const task = await admin.call(networkConfigCalls.add, { name: 'Hotspot', content, productId, scope: to([sn]), release: true });
  await settle();
  await answers(sn, task.id, { outcome: 'success', version: 'a1' });
  await says(sn, { settings: { 'networkConfig.hotspot': 'a1' } });
  await says(sn, {});
  const calls = driftCallsFor(networkConfigKind);
  const again = await manager.call(calls.applyAgain, { of: { criteria: { sn, what: 'hotspot' } } });
  const detail = await manager.call(networkConfigCalls.detail, { id: again.releases[0]?.id ?? 0 });
  expect(detail).toMatchObject({ content: { setting: 'hotspot', hotspot: true }, productId, deptName: 'Bank' });
});
