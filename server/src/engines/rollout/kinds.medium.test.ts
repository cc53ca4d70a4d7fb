import { appPermissionCalls, appPermissionDeviceCalls } from '@mooring/contract/app-permission/calls';
import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { moduleDeviceCalls, modulePackageCalls, moduleTaskCalls } from '@mooring/contract/module/calls';
import { patchTaskCalls } from '@mooring/contract/patch/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeFile, makePackage, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing } from './release.factory.ts';
import { settingsDigest } from './settings/setting-kind.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
let productId: number;
const { settle, sns } = releasing(
  () => app,
  () => admin,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);

/** Terminals that can do all of it, with a security processor and a modem. */
async function terminals(count: number, can = ['module', 'patch', 'appPermission'], settings = {}): Promise<string[]> {
  const names = sns(count);
  await makeDevices(app, owner, productId, names);
  await run(sql`update device set capabilities = ${can}::text[], modules = '{"sp": "1.0", "modem": "7.1"}', patch = '2026-01', settings = ${JSON.stringify(settings)}::jsonb
    where sn = any(${names}::text[])`);
  return names;
}
async function modulePackage(name: string, version: string): Promise<number> {
  const fileId = await makeFile(app, admin, app.root);
  await run(sql`update file_file set kind = '6' where id = ${fileId}`);
  const { id } = await admin.call(modulePackageCalls.add, { productId, name, version, fileId, publish: true });
  await settlePublished(app);
  return id;
}
const to = (names: readonly string[]) => ({ releaseScope: '2' as const, sns: [...names] });
const sentTo = (names: readonly string[]) =>
  run(sql<{ sn: string; data: Record<string, never> }>`
    select sn, data from gateway_outbox where topic = 'offer' and sn = any(${names}::text[]) order by id`);

test('a module is offered with its kind and name signed, to terminals that have it and say that they can', async () => {
  const able = await terminals(1);
  const old = await terminals(1, ['firmware']);
  const without = await terminals(1);
  await run(sql`update device set modules = '{}' where sn = any(${without}::text[])`);
  const packageId = await modulePackage('sp', '2.0');
  const scope = to([...able, ...old, ...without]);
  const preview = await admin.call(moduleTaskCalls.preview, { packageId, scope });
  // Neither the one that has none nor the one that can't.
  expect(preview).toMatchObject({ matched: 1, byVersion: [{ version: '1.0', count: 1, gets: 'full' }] });
  const task = await admin.call(moduleTaskCalls.add, { name: 'Module', packageId, scope, release: true });
  await settle();
  const offers = await sentTo([...able, ...old, ...without]);
  expect(offers.map(({ sn, data }) => [sn, data.kind, data.package])).toEqual([
    [able[0], 'module', expect.objectContaining({ content: 'module', name: 'sp', version: '2.0' })],
  ]);
  const results = await admin.call(moduleDeviceCalls.page, { criteria: { taskId: task.id }, page: { sort: 'sn' } });
  expect(results.content.map(({ sn, state, reason, fromVersion }) => [sn, state, reason, fromVersion])).toEqual([
    [able[0], '2', null, '1.0'],
  ]);
});

test('a package of one kind is none of another, by any of its calls', async () => {
  const firmware = await makePackage(app, admin, app.root, productId, '5.0');
  const scope = { releaseScope: '0' as const };
  const wrong = { name: 'Wrong', packageId: firmware, scope };
  for (const calls of [moduleTaskCalls, patchTaskCalls]) expect((await admin.send(calls.add, wrong)).code).toBe(404);
  for (const call of [modulePackageCalls.detail, modulePackageCalls.unpublish, modulePackageCalls.delete])
    expect((await admin.send(call, { id: firmware })).code).toBe(404);
  const task = await admin.call(taskCalls.add, { name: 'Firmware', packageId: firmware, scope });
  for (const call of [moduleTaskCalls.detail, moduleTaskCalls.cancel, moduleTaskCalls.delete, moduleTaskCalls.reasons])
    expect((await admin.send(call, { id: task.id })).code).toBe(404);
});

test('a newer release replaces those of the same module alone', async () => {
  const names = await terminals(2);
  const release = async (packageId: number, onBusy: 'wait' | 'replace') => {
    const { id } = await admin.call(moduleTaskCalls.add, { name: 'M', packageId, scope: to(names), delivery: { onBusy }, release: true });
    await settle();
    return id;
  };
  const sp = await release(await modulePackage('sp', '3.0'), 'wait');
  const modem = await release(await modulePackage('modem', '8.0'), 'wait');
  await release(await modulePackage('sp', '3.1'), 'replace');
  const tallyOf = async (id: number) => (await admin.call(moduleTaskCalls.detail, { id })).tally;
  expect(await tallyOf(sp)).toEqual({ '9': 2 });
  expect(Object.keys(await tallyOf(modem))).not.toContain('9');
});

test('a setting goes to whom it is new, is known to hold by its digest, and a reset to whom something is set', async () => {
  const apps = ['com.b.two', 'com.a.one'];
  const values = { apps: apps.toSorted() };
  const digest = settingsDigest(values);
  const [fresh = '', set = ''] = [...(await terminals(1)), ...(await terminals(1, ['appPermission'], { 'appPermission.print': digest }))];
  const scope = to([fresh, set]);
  const content = { list: 'print' as const, apps };
  const task = await admin.call(appPermissionCalls.add, { name: 'Printing', content, scope, release: true });
  await settle();
  expect((await sentTo([fresh, set])).map(({ sn, data }) => [sn, data.settings, data.package])).toEqual([
    [fresh, { section: 'appPermission.print', values }, undefined],
  ]);
  const reset = { list: 'print' as const, action: 'reset' as const };
  expect(await admin.call(appPermissionCalls.preview, { content: reset, scope })).toMatchObject({ matched: 1 });

  await run(sql`update rollout_result set state = '3', version = ${digest} where task_id = ${task.id}`);
  const [deviceId = 0] = (await run(sql<{ id: number }>`select id from device where sn = ${fresh}`)).map((row) => row.id);
  const differs = async () =>
    (await admin.call(appPermissionDeviceCalls.page, { criteria: { taskId: task.id } })).content.map((row) => row.differs);
  expect(await differs()).toEqual([true]);
  await run(sql`update device set settings = ${JSON.stringify({ 'appPermission.print': digest })}::jsonb where sn = ${fresh}`);
  expect(await differs()).toEqual([false]);
  expect(await admin.call(deviceReleaseCalls.list, { deviceId })).toMatchObject([{ kind: 'appPermission', content: { list: 'print' } }]);
});

test.each([
  ['no app', { list: 'print', apps: [] }, 'content.apps'],
  ['two launchers', { list: 'launcher', apps: ['com.a.one', 'com.a.two'] }, 'content.apps'],
  ['no package name', { list: 'print', apps: ['pay'] }, 'content.apps.0'],
  ['an unknown list', { list: 'camera', apps: ['com.a.one'] }, 'content.list'],
  ['a field that is none', { list: 'print', apps: ['com.a.one'], all: true }, 'content'],
])('%s is refused where it stands', async (_name, content, at) => {
  const answer = await admin.send(appPermissionCalls.add, { name: 'x', content, scope: { releaseScope: '0' } } as never);
  expect(answer.code).toBe(400);
  expect(Object.keys((answer.body as { fields: object }).fields).some((field) => field.startsWith(at))).toBe(true);
});

test('a part that no terminal has is nobody’s, and the release says so', async () => {
  const packageId = await modulePackage('cashDrawer', '1.0');
  const names = await terminals(1);
  const refused = await admin.send(moduleTaskCalls.add, { name: 'None', packageId, scope: to(names), release: true });
  expect(refused.body).toMatchObject({ fault: 'NO_DEVICES' });
});
