import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls, softAppTaskDeviceCalls } from '@mooring/contract/app/release-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { CERTIFICATE, type Installed, listVersion, saysApps } from './catalogue.factory.ts';

let app: TestApp;
let owner: DeptAt;
let other: DeptAt;
let manager: Client;
let outsider: Client;
let productId: number;
const { settle, sns, subscribe } = releasing(
  () => app,
  () => manager,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  other = await app.dept('Other bank');
  manager = await app.person('orgManager', owner);
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
/** A version in the catalogue. */
const listed = (packageName: string, code: number, at = owner, more: { scope?: string; products?: number[] } = {}): Promise<number> =>
  listVersion(app, manager, { products: [productId], ...more, packageName, code, at });
const hello = (sn: string, apps: readonly Installed[]) => saysApps(app, sn, apps);
async function terminals(count: number): Promise<string[]> {
  const names = sns(count);
  await makeDevices(app, owner, productId, names);
  for (const sn of names) await hello(sn, []);
  return names;
}
const to = (names: readonly string[]) => ({ releaseScope: '2' as const, sns: [...names] });
async function released(names: readonly string[], content: object, delivery: object = {}): Promise<number> {
  const task = await manager.call(softAppTaskCalls.add, { name: 'Apps', scope: to(names), content, delivery } as never);
  await manager.call(softAppTaskCalls.submit, { id: task.id });
  await manager.call(softAppTaskCalls.enable, { id: task.id });
  await settle();
  return task.id;
}
const resultsOf = (taskId: number) =>
  manager
    .call(softAppTaskDeviceCalls.page, { criteria: { taskId } })
    .then(({ content }) => content.toSorted((a, b) => (a.sn < b.sn ? -1 : 1)));
const offersTo = (sn: string) =>
  run(
    sql<{
      data: { package?: { app: { packageName: string } } };
    }>`select data from gateway_outbox where topic = 'offer' and sn = ${sn} order by id`,
  );
const attempts = (taskId: number) =>
  run(
    sql<{
      offer: string;
      device_id: number;
      sn: string;
      dept_path: string;
    }>`select offer, device_id, sn, dept_path from rollout_result where task_id = ${taskId} and state = '2' order by sn`,
  );

describe('a release of an app', () => {
  test('is signed for its kind, package, code and certificate; who has it already, or a newer one, is left out', async () => {
    const [fresh = '', older = '', same = '', newer = ''] = await terminals(4);
    await hello(older, [{ id: 'com.r.one', code: 5 }]);
    await hello(same, [{ id: 'com.r.one', code: 7 }]);
    await hello(newer, [{ id: 'com.r.one', code: 8 }]);
    const versionId = await listed('com.r.one', 7);
    const taskId = await released([fresh, older, same, newer], { action: 'install', versionId });
    expect((await resultsOf(taskId)).map(({ sn, state, fromVersion }) => [sn, state, fromVersion])).toEqual([
      [fresh, '2', null],
      [older, '2', '5'],
    ]);
    const [offer] = await offersTo(fresh);
    expect(offer?.data).toMatchObject({
      kind: 'softApp',
      package: {
        product: 'A920',
        kind: 'TA',
        version: '7',
        content: 'softApp',
        app: { packageName: 'com.r.one', versionCode: 7, certificate: CERTIFICATE },
      },
    });
    const task = await manager.call(softAppTaskCalls.detail, { id: taskId });
    expect(task.content).toMatchObject({ appName: 'App com.r.one', versionName: '7.0 [BETA]', versionCode: 7, packageName: 'com.r.one' });
    for (const one of await attempts(taskId)) await subscribe('result', one, { outcome: 'success', version: '7' });
    await hello(fresh, [{ id: 'com.r.one', code: 7 }]);
    const after = await resultsOf(taskId);
    expect(after.map(({ sn, state, differs }) => [sn, state, differs])).toEqual([
      [fresh, '3', false],
      // It says that it still runs the old one.
      [older, '3', true],
    ]);
  });
  test('of two apps both reach one terminal at once; of one app the second waits', async () => {
    const names = await terminals(1);
    const [sn = ''] = names;
    const [one, two, again] = [await listed('com.t.one', 1), await listed('com.t.two', 1), await listed('com.t.one', 2)];
    const first = await released(names, { action: 'install', versionId: one });
    const second = await released(names, { action: 'install', versionId: two });
    const third = await released(names, { action: 'install', versionId: again }, { onBusy: 'wait' });
    expect((await offersTo(sn)).map(({ data }) => data.package?.app.packageName)).toEqual(['com.t.one', 'com.t.two']);
    expect((await resultsOf(third))[0]).toMatchObject({ state: '1', why: { key: 'why.busy' } });
    for (const taskId of [first, second])
      for (const attempt of await attempts(taskId)) await subscribe('result', attempt, { outcome: 'success', version: '1' });
    await settle();
    expect((await resultsOf(third))[0]?.state).toBe('2');
  });
  test('update reaches those that have it; uninstall those too, and no package goes along', async () => {
    const names = await terminals(2);
    const [has = '', lacks = ''] = names;
    await hello(has, [{ id: 'com.u.app', code: 1 }]);
    const versionId = await listed('com.u.app', 2);
    expect((await resultsOf(await released(names, { action: 'update', versionId }))).map((row) => row.sn)).toEqual([has]);
    const removal = await released(names, { action: 'uninstall', packageName: 'com.u.app' }, { onBusy: 'replace' });
    expect((await resultsOf(removal)).map((row) => row.sn)).toEqual([has]);
    const offer = (await offersTo(has)).at(-1)?.data;
    expect(offer).toMatchObject({ kind: 'softApp', uninstall: { packageName: 'com.u.app' } });
    expect(offer).not.toHaveProperty('package');
    expect(await offersTo(lacks)).toEqual([]);
  });
  test('what a terminal can’t do without is never removed', async () => {
    const names = await terminals(2);
    const [other = '', mine = ''] = names;
    for (const sn of names) await hello(sn, [{ id: 'com.x.agent', code: 1 }]);
    await run(
      sql`update device_app a set system = true from device d where d.id = a.device_id and d.sn = ${mine} and a.package_name = 'com.x.agent'`,
    );
    expect((await resultsOf(await released(names, { action: 'uninstall', packageName: 'com.x.agent' }))).map((row) => row.sn)).toEqual([
      other,
    ]);
  });
  test.each([
    ['no version', { action: 'install' }, 'BAD_INPUT'],
    ['no package to remove', { action: 'uninstall' }, 'BAD_INPUT'],
    ['a name that is none', { action: 'uninstall', packageName: '../x' }, 'BAD_INPUT'],
    ['a version that isn’t there', { action: 'install', versionId: 999_999 }, 'NOT_FOUND'],
  ])('%s is refused', async (_name, content, fault) => {
    expect(await faultOf(manager.send(softAppTaskCalls.add, { name: 'Apps', scope: to(['SN000001']), content }))).toBe(fault);
  });
  test('another organisation’s version is nobody else’s to release, and one that was taken out of the catalogue goes to nobody', async () => {
    const names = await terminals(1);
    const versionId = await listed('com.l.app', 1);
    const foreign = { name: 'Apps', scope: to(names), content: { action: 'install', versionId } };
    expect(await faultOf(outsider.send(softAppTaskCalls.add, foreign))).toBe('NOT_FOUND');
    await run(sql`update app_version set publish_state = '0' where id = ${versionId}`);
    expect(await faultOf(manager.send(softAppTaskCalls.add, foreign))).toBe('APP_NOT_LISTED');
  });
  test('a version reaches its products and those that it is listed for alone', async () => {
    const [mine = '', listedSn = ''] = await terminals(2);
    const versionId = await listed('com.s.app', 1, owner, { scope: '2' });
    await run(sql`insert into app_version_sn (version_id, sn, dept_path) values (${versionId}, ${listedSn}, ${owner.path})`);
    expect((await resultsOf(await released([mine, listedSn], { action: 'install', versionId }))).map((row) => row.sn)).toEqual([listedSn]);
    const otherProduct = await makeProduct(app, app.root, 'B10');
    const elsewhere = await listed('com.s.two', 1, owner, { products: [otherProduct] });
    const none = { name: 'Apps', scope: to([mine]), content: { action: 'install', versionId: elsewhere } };
    const task = await manager.call(softAppTaskCalls.add, none as never);
    await manager.call(softAppTaskCalls.submit, { id: task.id });
    expect(await faultOf(manager.send(softAppTaskCalls.enable, { id: task.id }))).toBe('NO_DEVICES');
  });
  test('a terminal that left its audience meanwhile gets nothing, and an equal code by another certificate isn’t the version', async () => {
    const names = await terminals(2);
    const [first = '', second = ''] = names;
    await hello(second, [{ id: 'com.m.app', code: 3 }]);
    await run(sql`update device_app set certificate = ${'cd'.repeat(32)} where package_name = 'com.m.app'`);
    const versionId = await listed('com.m.app', 3, owner, { scope: '2' });
    for (const sn of names)
      await run(sql`insert into app_version_sn (version_id, sn, dept_path) values (${versionId}, ${sn}, ${owner.path})`);
    const taskId = await released(names, { action: 'install', versionId }, { paceAtOnce: 1 });
    expect((await resultsOf(taskId)).map(({ sn }) => sn)).toEqual([first, second]);
    await run(sql`delete from app_version_sn where version_id = ${versionId} and sn = ${second}`);
    for (const attempt of await attempts(taskId)) await subscribe('result', attempt, { outcome: 'success', version: '3' });
    await settle();
    expect(await offersTo(second)).toEqual([]);
  });
  test('an app that doesn’t say its version code is removed all the same', async () => {
    const [sn = ''] = await terminals(1);
    await hello(sn, [{ id: 'com.n.app', code: 1 }]);
    await run(sql`update device_app set version_code = null where package_name = 'com.n.app'`);
    expect((await resultsOf(await released([sn], { action: 'uninstall', packageName: 'com.n.app' }))).map((row) => row.sn)).toEqual([sn]);
  });
  test('what is delisted pauses its releases, says so, and can’t be resumed', async () => {
    const names = await terminals(2);
    const versionId = await listed('com.d.app', 1);
    const taskId = await released(names, { action: 'install', versionId }, { paceAtOnce: 1 });
    expect((await attempts(taskId)).length).toBe(1);
    await manager.call(appVersionCalls.delist, { id: versionId, comment: 'A flaw in its printing.' });
    await app.runJobs();
    expect(await manager.call(softAppTaskCalls.detail, { id: taskId })).toMatchObject({ state: 'paused', haltReason: 'appDelisted' });
    await app.runJobs();
    expect(
      (
        await run<{ params: { task: string } }>(
          sql`select params from message_message where text_key = 'appReleaseDelisted' and link like ${`%/${taskId}`}`,
        )
      ).length,
    ).toBe(1);
    expect(await faultOf(manager.send(softAppTaskCalls.recover, { id: taskId }))).toBe('APP_NOT_LISTED');
  });
  test('a version says on how many terminals of one’s own it stands, and why its releases failed there', async () => {
    const names = await terminals(3);
    const [first = '', second = '', third = ''] = names;
    await hello(second, [{ id: 'com.o.app', code: 1 }]);
    await hello(third, [{ id: 'com.o.app', code: 2 }]);
    const id = await listed('com.o.app', 2);
    const taskId = await released([first, second], { action: 'install', versionId: id }, { retries: 0 });
    for (const attempt of await attempts(taskId)) await subscribe('result', attempt, { outcome: 'failure', reason: 'hashWrong' });
    await settle();
    expect(await manager.call(appVersionCalls.onTerminals, { id })).toEqual({
      installed: 1,
      others: 1,
      trial: { installed: 0, open: 0 },
      tally: { 4: 2 },
      reasons: [{ reason: 'hashWrong', count: 2 }],
      subscribers: { tally: {}, reasons: [] },
    });
    expect(await faultOf(outsider.send(appVersionCalls.onTerminals, { id }))).toBe('NOT_FOUND');
    const developer = await app.person('developer', owner);
    // Who brought an app sees how it fares without being let into releases.
    expect(await developer.call(appVersionCalls.onTerminals, { id })).toEqual(await manager.call(appVersionCalls.onTerminals, { id }));
  });
});
