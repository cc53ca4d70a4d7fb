import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import { driftPath } from '@mooring/contract/engines/rollout/task-kind';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { moduleKind } from '@mooring/contract/module/kind';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { networkConfigKind } from '@mooring/contract/network-config/kind';
import { driftCallsFor } from '@mooring/contract/release-drift';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../../modules/org/api.ts';
import { settingsDigest } from '../settings/setting-kind.ts';
import { drifting } from './drift.factory.ts';

let app: TestApp;
let owner: DeptAt;
let branch: DeptAt;
let admin: Client;
let productId: number;
const { run, settle, look, report, answers, says, drifted, rows, deviceOf } = drifting(
  () => app,
  () => admin,
);
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  branch = await app.dept('Branch', owner);
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

const { kind } = networkConfigKind;
const WIFI = 'networkConfig.wifiWhitelist';
const digestOf = (...ssids: string[]) => settingsDigest({ ssids: ssids.toSorted() }) ?? '';
const shop = digestOf('shop');
const set = (digest: string | undefined) => (digest === undefined ? {} : { settings: { [WIFI]: digest } });
const forward = (seconds: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + seconds * 1000);
};
let serial = 0;
let sn = '';
beforeEach(async () => {
  serial += 1;
  sn = `DRIFT${String(serial).padStart(4, '0')}`;
  await makeDevices(app, owner, productId, [sn]);
  await says(sn, {});
});

interface Released {
  readonly ssids?: readonly string[];
  readonly action?: 'config' | 'reset';
  readonly by?: Client;
}
/** Sent to the terminal of the test, and nothing heard yet. */
async function send({ ssids = ['shop'], action = 'config', by = admin }: Released = {}): Promise<number> {
  forward(1);
  const content = { setting: 'wifiWhitelist' as const, action, ssids: action === 'reset' ? [] : [...ssids] };
  const scope = { releaseScope: '2' as const, sns: [sn] };
  const { id } = await by.call(networkConfigCalls.add, { name: `Wi-Fi ${ssids}`, content, scope, release: true });
  await settle();
  return id;
}
const succeed = (taskId: number, digest?: string) =>
  answers(sn, taskId, { outcome: 'success', ...(digest === undefined ? {} : { version: digest }) });
/** It has what was released, and says so. */
async function released(of: Released = {}): Promise<number> {
  const id = await send(of);
  const digest = of.action === 'reset' ? undefined : digestOf(...(of.ssids ?? ['shop']));
  await succeed(id, digest);
  await says(sn, set(digest));
  return id;
}
/** Whose open lists have heard of a change since this was last asked. */
const heard = async () => {
  const rows = await run(
    sql<{ path: string }>`delete from live_touch where call_group = ${driftPath(networkConfigKind)} returning dept_path as path`,
  );
  return [...new Set(rows.map(({ path }) => path))];
};
const mine = async () => (await drifted(kind)).filter(([one]) => one === sn);

test('what is changed on the terminal has drifted since then, and no longer once it is as released again', async () => {
  const taskId = await released();
  expect(await mine()).toEqual([]);
  const at = new Date(app.clock.now);
  await says(sn, set(digestOf('guest')));
  expect(await mine()).toEqual([[sn, WIFI, shop, digestOf('guest')]]);
  const [row] = (await rows(kind)).filter((one) => one.sn === sn);
  expect(row).toMatchObject({ taskId, taskName: 'Wi-Fi shop', deptName: 'Bank', content: { ssids: ['shop'] } });
  expect(new Date(row?.since ?? 0).getTime()).toBeGreaterThanOrEqual(at.getTime());
  const { id: deviceId } = await deviceOf(sn);
  expect(await admin.call(deviceReleaseCalls.drifts, { deviceId })).toMatchObject([{ id: row?.id, kind, found: digestOf('guest') }]);
  // Changed once more: since the first time.
  forward(60);
  await says(sn, set(digestOf('other')));
  expect((await rows(kind)).filter((one) => one.sn === sn)).toMatchObject([{ found: digestOf('other'), since: row?.since }]);
  await says(sn, set(shop));
  expect(await mine()).toEqual([]);
});

test('open lists hear of what shows otherwise, and of nothing else', async () => {
  await released();
  await heard();
  await says(sn, { ...set(shop), firmware: '1.7' });
  expect(await heard()).toEqual([]);
  await says(sn, set(digestOf('guest')));
  expect(await heard()).toEqual([owner.path]);
  await says(sn, { ...set(digestOf('guest')), firmware: '1.8' });
  expect(await heard()).toEqual([]);
  const next = await send({ ssids: ['cash'] });
  await look();
  expect(await heard()).toEqual([owner.path]);
  await succeed(next, digestOf('cash'));
  await says(sn, set(digestOf('cash')));
  expect(await heard()).toEqual([]);
});

test('what is gone from the terminal has drifted, and what is put back there that a release took away', async () => {
  await released();
  await says(sn, set(undefined));
  expect(await mine()).toEqual([[sn, WIFI, shop, null]]);
  await says(sn, set(digestOf('guest')));
  await released({ action: 'reset' });
  expect(await mine()).toEqual([]);
  await says(sn, set(shop));
  expect(await mine()).toEqual([[sn, WIFI, null, shop]]);
});

test('a terminal that says nothing of a part has none that drifted', async () => {
  await succeed(await send(), shop);
  await says(sn, { firmware: '1.1' });
  expect(await mine()).toEqual([]);
});

test('a report before the result is none, and neither is one that was under way', async () => {
  await released();
  const next = await send({ ssids: ['shop', 'office'] });
  const both = digestOf('shop', 'office');
  await says(sn, set(both));
  expect(await mine()).toEqual([]);
  await succeed(next, both);
  await look();
  expect(await mine()).toEqual([]);

  const third = await send({ ssids: ['cash'] });
  await succeed(third, digestOf('cash'));
  // Written before it was done.
  await says(sn, { ...set(both), firmware: '1.2' });
  expect(await mine()).toEqual([]);
  await says(sn, set(digestOf('cash')));
  await says(sn, set(both));
  expect(await mine()).toEqual([[sn, WIFI, digestOf('cash'), both]]);
});

test('a terminal that goes on saying what it had before has drifted after all', async () => {
  await released();
  await succeed(await send({ ssids: ['cash'] }), digestOf('cash'));
  forward(11 * 60);
  await says(sn, { ...set(shop), firmware: '1.3' });
  expect(await mine()).toEqual([[sn, WIFI, digestOf('cash'), shop]]);
});

test('a terminal that says success and nothing else since has drifted once a word that is under way had come, if it is there', async () => {
  await succeed(await send(), shop);
  await look();
  forward(11 * 60);
  await look();
  // Not heard of: it may have gone off with it.
  expect(await mine()).toEqual([]);
  await report(sn, {});
  await look();
  expect(await mine()).toEqual([[sn, WIFI, shop, null]]);

  await says(sn, set(shop));
  await succeed(await send({ ssids: ['cash'] }), digestOf('cash'));
  forward(60);
  await says(sn, set(shop));
  expect(await mine()).toEqual([]);
  forward(10 * 60);
  await look();
  expect(await mine()).toEqual([[sn, WIFI, digestOf('cash'), shop]]);
});

test('what succeeds after its release was cancelled is wanted all the same', async () => {
  await released();
  const next = await send({ ssids: ['cash'] });
  await admin.call(networkConfigCalls.cancel, { id: next });
  await settle();
  expect(await run(sql`select state from rollout_result where task_id = ${next}`)).toEqual([{ state: '9' }]);
  await succeed(next, digestOf('cash'));
  await says(sn, set(digestOf('cash')));
  expect(await mine()).toEqual([]);
  await says(sn, set(shop));
  expect(await mine()).toEqual([[sn, WIFI, digestOf('cash'), shop]]);
});

test('a success that a server of the version before took is no drift', async () => {
  await released();
  const next = await send({ ssids: ['cash'] });
  await run(
    sql`update rollout_attempt a set outcome = 'success', ended_at = now() from rollout_result r where r.id = a.result_id and r.task_id = ${next}`,
  );
  await run(sql`update rollout_result set state = '3' where task_id = ${next}`);
  await says(sn, set(digestOf('cash')));
  expect(await mine()).toEqual([]);
});

test('a firmware that succeeds brings its patches and modules: what was left of those is wanted no more', async () => {
  await released();
  const { id } = await deviceOf(sn);
  await run(sql`insert into rollout_wanted (device_id, kind, part, task_id, owner_dept_id, version, settled, at, sent_at, dept_path)
    select ${id}, k, p, 0, ${owner.id}, '1', true, now(), '2020-01-01', ${owner.path} from (values ('patch', ''), ('module', 'printer')) as x(k, p)`);
  forward(1);
  const packageId = await makePackage(app, admin, app.root, productId, `2.${serial}`);
  const task = await admin.call(taskCalls.add, { name: 'Firmware', packageId, scope: { releaseScope: '2', sns: [sn] }, release: true });
  await settle();
  await answers(sn, task.id, { outcome: 'success', version: `2.${serial}` });
  expect(await run(sql`select kind from rollout_wanted where device_id = ${id} order by kind`)).toEqual([{ kind: 'firmware' }, { kind }]);
});

test('a release that began or ended beside a look is looked at again, whatever the row said then', async () => {
  await released();
  const { id } = await deviceOf(sn);
  const marks = () => run(sql`select from rollout_look where device_id = ${id} and due_at = '-infinity'`);
  expect(await marks()).toEqual([]);
  const next = await send({ ssids: ['cash'] });
  expect(await marks()).not.toEqual([]);
  await look();
  await admin.call(networkConfigCalls.cancel, { id: next });
  await settle();
  expect(await marks()).not.toEqual([]);
});

test('a result waits for nobody who moves or deletes its terminal', async () => {
  const next = await send();
  const { id } = await deviceOf(sn);
  await app.context.unscoped(async (db) => {
    await sql`select from device where id = ${id} for update`.execute(db);
    await succeed(next, shop);
  });
  expect(await run(sql`select version from rollout_wanted where device_id = ${id}`)).toEqual([{ version: shop }]);
  await run(sql`delete from device where id = ${id}`);
  await look();
  expect(await run(sql`select version from rollout_wanted where device_id = ${id}`)).toEqual([]);
});

test('while a release of the same is on its way it is none; once that has failed, or was cancelled, it is one again', async () => {
  await released();
  await says(sn, set(digestOf('guest')));
  const next = await send({ ssids: ['cash'] });
  await look();
  expect(await mine()).toEqual([]);
  // Another change meanwhile.
  await says(sn, set(digestOf('third')));
  expect(await mine()).toEqual([]);
  await admin.call(networkConfigCalls.cancel, { id: next });
  await settle();
  await look();
  expect(await mine()).toEqual([[sn, WIFI, shop, digestOf('third')]]);
  // A hotspot is another part.
  const scope = { releaseScope: '2' as const, sns: [sn] };
  await admin.call(networkConfigCalls.add, { name: 'Hotspot', content: { setting: 'hotspot', hotspot: true }, scope, release: true });
  await settle();
  await look();
  expect(await mine()).toEqual([[sn, WIFI, shop, digestOf('third')]]);
});

test('what a later release leaves is wanted, also of an organisation above; of an older one that is late it isn’t', async () => {
  const manager = await app.person('orgManager', owner);
  const first = await send({ by: manager });
  await run(sql`update rollout_result set state = '5' where task_id = ${first}`);
  await released({ ssids: ['cash'] });
  expect(await mine()).toEqual([]);
  await succeed(first, shop);
  await says(sn, { ...set(digestOf('cash')), firmware: '1.4' });
  expect(await mine()).toEqual([]);
  await says(sn, set(shop));
  expect(await mine()).toEqual([[sn, WIFI, digestOf('cash'), shop]]);
});

test('two reports at once, and twice the same, come to one', async () => {
  await released();
  await Promise.all([report(sn, set(digestOf('guest'))), report(sn, { ...set(digestOf('guest')), firmware: '1.5' })]);
  await Promise.all([look(), look()]);
  await report(sn, set(digestOf('guest')));
  await look();
  expect(await mine()).toEqual([[sn, WIFI, shop, digestOf('guest')]]);
});

test('within the reach of the release it goes along to another organisation; outside of it nothing is wanted', async () => {
  const manager = await app.person('orgManager', owner);
  await released({ by: manager });
  await says(sn, set(digestOf('guest')));
  const { id } = await deviceOf(sn);
  const below = await app.person('orgManager', branch);
  const moveTo = async (dept: DeptAt) => {
    await admin.call(deviceCalls.move, { of: { ids: [id] }, deptId: dept.id });
    await look();
  };
  expect(await drifted(kind, below)).toEqual([]);
  await moveTo(branch);
  expect(await drifted(kind, below)).toEqual([[sn, WIFI, shop, digestOf('guest')]]);
  await moveTo(await app.dept('Other bank'));
  expect(await mine()).toEqual([]);
  expect(await run(sql`select from rollout_wanted where device_id = ${id}`)).toEqual([]);
});

test('of a release that is gone an outsider learns nothing: it reaches as far as its owner did', async () => {
  const manager = await app.person('orgManager', owner);
  const taskId = await released({ by: manager });
  await settle();
  await admin.call(networkConfigCalls.delete, { id: taskId });
  await says(sn, set(digestOf('guest')));
  const { id } = await deviceOf(sn);
  const moveTo = async (dept: DeptAt) => {
    await admin.call(deviceCalls.move, { of: { ids: [id] }, deptId: dept.id });
    await look();
  };
  await moveTo(branch);
  expect(await drifted(kind, await app.person('orgManager', branch))).toContainEqual([sn, WIFI, shop, digestOf('guest')]);
  const outsider = await app.dept('Third bank');
  await moveTo(outsider);
  expect(await drifted(kind, await app.person('orgManager', outsider))).toEqual([]);
  expect(await run(sql`select from rollout_wanted where device_id = ${id}`)).toEqual([]);
});

test('a terminal that is deleted is no longer listed; restored it is, by what it says then', async () => {
  await released();
  await says(sn, set(digestOf('guest')));
  const { id } = await deviceOf(sn);
  await run(sql`update device set status = '5' where id = ${id}`);
  await heard();
  await admin.call(deviceCalls.delete, { of: { ids: [id] } });
  expect(await heard()).toEqual([owner.path]);
  await look();
  expect(await mine()).toEqual([]);
  await admin.call(deviceCalls.restore, { id });
  expect(await heard()).toEqual([owner.path]);
  await look();
  expect(await mine()).toEqual([[sn, WIFI, shop, digestOf('guest')]]);
  await says(sn, set(shop));
  expect(await mine()).toEqual([]);
});

test('of a terminal that was swapped nothing is wanted, and of the one in its place what it was sent itself', async () => {
  await released();
  const old = sn;
  const other = `${sn}B`;
  await makeDevices(app, owner, productId, [other]);
  await says(old, set(digestOf('guest')));
  const [from, to] = [await deviceOf(old), await deviceOf(other)];
  await run(sql`update device set status = '2', merchant_id = null where id in (${from.id}, ${to.id})`);
  await heard();
  await admin.call(deviceCalls.swap, { id: from.id, otherId: to.id, goes: 'stock' });
  await app.runJob('rollout.swapDevices');
  expect(await heard()).toEqual([owner.path]);
  await look();
  expect((await drifted(kind)).filter(([one]) => one === old || one === other)).toEqual([]);
});

test('of a release that was deleted what it left stays wanted', async () => {
  const id = await released();
  await settle();
  await admin.call(networkConfigCalls.delete, { id });
  await says(sn, set(digestOf('guest')));
  const [row] = (await rows(kind)).filter((one) => one.sn === sn);
  expect(row).toMatchObject({ taskId: id, taskName: null, found: digestOf('guest') });
});

test('lists are filtered, counted and of one kind and organisation alone', async () => {
  await released();
  await says(sn, set(digestOf('guest')));
  const calls = driftCallsFor(networkConfigKind);
  const count = async (criteria: object, client = admin) => (await client.call(calls.count, { criteria })).count;
  expect(await count({ sn: sn.toLowerCase() })).toBe(1);
  expect(await count({ sn, productId })).toBe(1);
  expect(await count({ sn, productId: productId + 99 })).toBe(0);
  expect(await count({ sn, deptId: owner.id })).toBe(1);
  expect(await count({ sn, deptId: branch.id })).toBe(0);
  expect(await count({ sn, what: 'Wi-Fi sh' })).toBe(1);
  expect(await count({ sn, what: 'hotspot' })).toBe(0);
  expect(await count({ sn }, await app.person('orgManager', await app.dept('Stranger')))).toBe(0);
  expect((await admin.call(driftCallsFor(moduleKind).count, { criteria: {} })).count).toBe(0);
  expect((await admin.send(calls.page, { criteria: { sn: '' } })).code).toBe(400);
});
