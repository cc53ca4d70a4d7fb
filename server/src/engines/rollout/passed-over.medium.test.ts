import { appPermissionCalls } from '@mooring/contract/app-permission/calls';
import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import { PASSED_SHOWN } from '@mooring/contract/engines/rollout/passed-over';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { preTaskCalls, taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { makeGroup } from '../../../test/named-rows.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { codesWith } from '../../modules/access/api.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let owner: DeptAt;
let other: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { release, settle, sns } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  other = await app.dept('Other bank');
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, app.root, 'A920');
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});
afterAll(() => app.stop());

const run = (query: ReturnType<typeof sql>) => app.context.unscoped((db) => query.execute(db));
const terminal = async (firmware = '1.0', { at = owner, product = productId } = {}) => {
  const [sn = ''] = sns(1);
  const [id = 0] = await makeDevices(app, at, product, [sn], firmware);
  return { id, sn };
};
/** Goes out to whom it is for, beside one that it does reach: none would be refused. */
const to = async (scope: object, delivery: object = {}) => {
  const task = await admin.call(taskCalls.add, { name: 'To some', packageId, scope, delivery, release: true } as never);
  await settle();
  return task.id;
};
const some = { releaseScope: '1', deptIds: [], firmware: [], tags: [] };
const whyOf = async (taskId: number, sn: string, by = admin) => (await by.call(deviceReleaseCalls.whyNot, { taskId, sn })).why;
const keyOf = async (taskId: number, sn: string) => (await whyOf(taskId, sn))?.key.replace('why.passed.', '');

test('each rule of a release’s targets is named where it left a terminal out', async () => {
  const reached = await terminal();
  const [left, newer, same] = [await terminal(), await terminal('3.0'), await terminal('2.0')];
  await run(sql`update device set tags = '{vip}' where id = ${reached.id}`);
  const groupId = await app.context.unscoped((db) => makeGroup(db, owner, 'Chosen'));
  await run(sql`insert into device_group_member (group_id, device_id, dept_path) values (${groupId}, ${reached.id}, ${owner.path})`);
  expect(await keyOf(await to({ ...some, tags: ['vip'] }), left.sn)).toBe('tags');
  expect(await keyOf(await to({ ...some, firmware: ['1.0'] }), newer.sn)).toBe('firmware');
  expect(await keyOf(await to({ ...some, groupIds: [groupId] }), left.sn)).toBe('groups');
  const given = await release([reached.sn]);
  expect(await keyOf(given, left.sn)).toBe('sns');
  const all = await to({ releaseScope: '0' });
  expect(await whyOf(all, newer.sn)).toEqual({ key: 'why.passed.newer', params: { version: '3.0' } });
  expect(await whyOf(all, same.sn)).toEqual({ key: 'why.passed.same', params: { version: '2.0' } });
  expect(await whyOf(all, left.sn)).toBeNull();
  const late = await terminal();
  expect(await keyOf(all, late.sn)).toBe('later');
  const outsider = await terminal('1.0', { at: other });
  expect(await keyOf(await to({ ...some, deptIds: [owner.id] }), outsider.sn)).toBe('depts');
  const foreign = await terminal('1.0', { product: await makeProduct(app, app.root, 'B1') });
  expect(await whyOf(all, foreign.sn)).toEqual({ key: 'why.passed.product', params: { product: 'Product A920' } });
  await run(sql`update device set status = '4' where id = ${late.id}`);
  expect(await keyOf(all, late.sn)).toBe('disabled');
  await admin.call(taskCalls.cancel, { id: all });
  await run(sql`update device set status = '3' where id = ${late.id}`);
  expect(await keyOf(all, late.sn)).toBe('ended');
});

test('whoever can’t do it is left out as the preview says, and isn’t among those that fail; it joins once it can', async () => {
  const [able, unable, fresh] = [await terminal(), await terminal(), await terminal()];
  await run(sql`update device set capabilities = '{appPermission}' where id = ${able.id}`);
  await run(sql`update device set activated_at = null, status = '1' where id = ${fresh.id}`);
  const scope = { releaseScope: '2', sns: [able.sn, unable.sn, fresh.sn] };
  const content = { list: 'print', apps: ['com.a.one'] };
  const made = async (laterMembers: boolean) => {
    const all = { name: 'Print', content, scope, delivery: { laterMembers }, release: true };
    const { id } = await admin.call(appPermissionCalls.add, all as never);
    await settle();
    return id;
  };
  const [closed, open] = [await made(false), await made(true)];
  const inIt = async (id: number) => {
    const rows = await run(sql<{ sn: string }>`select sn from rollout_result where task_id = ${id} order by sn`);
    return rows.rows.map((row) => (row as { sn: string }).sn);
  };
  expect([await inIt(closed), await inIt(open)]).toEqual([
    [able.sn, fresh.sn],
    [able.sn, fresh.sn],
  ]);
  expect(await whyOf(closed, unable.sn)).toMatchObject({ key: 'why.passed.notSupported', params: { advice: 'passed.updateAndCopy' } });
  expect((await whyOf(open, unable.sn))?.params).not.toHaveProperty('advice');
});

test('a pre-task says that it waits for others, or for the first contact; one that takes later terminals, that it is about to', async () => {
  const active = await terminal();
  const scope = { releaseScope: '0' } as const;
  const pre = await admin.call(preTaskCalls.add, { name: 'First', packageId, scope, release: true });
  await settle();
  const [sn = ''] = sns(1);
  const [id = 0] = await makeDevices(app, owner, productId, [sn]);
  await run(sql`update device set status = '1', activated_at = null, firmware = null where id = ${id}`);
  expect(await keyOf(pre.id, active.sn)).toBe('active');
  expect(await keyOf(pre.id, sn)).toBe('firstContact');
  const open = await to(scope, { laterMembers: true });
  const late = await terminal();
  expect(await keyOf(open, late.sn)).toBe('joins');
  // What it runs nobody knows before its first contact; what it isn't by then either is said.
  const [reached] = [await terminal()];
  await run(sql`update device set tags = '{first}' where id = any(${[id, reached.id]}::bigint[])`);
  const byVersion = await to({ ...some, firmware: ['1.0'], tags: ['first'] }, { laterMembers: true });
  expect(await keyOf(byVersion, sn)).toBe('firstContact');
  await run(sql`update device set tags = '{}' where id = ${id}`);
  expect(await keyOf(byVersion, sn)).toBe('tags');
});

test('what would help is said by whether the release takes in any more', async () => {
  const { id, sn } = await terminal();
  await run(sql`update device set tags = '{vip}' where id = ${(await terminal()).id}`);
  const [closed, open] = [await to({ ...some, tags: ['vip'] }), await to({ ...some, tags: ['vip'] }, { laterMembers: true })];
  expect((await whyOf(closed, sn))?.params).toEqual({ version: '1.0', advice: 'passed.copy' });
  expect((await whyOf(open, sn))?.params).toEqual({ version: '1.0' });
  await admin.call(taskCalls.cancel, { id: open });
  expect((await whyOf(open, sn))?.params).toEqual({ version: '1.0', advice: 'passed.copy' });
  await run(sql`update device set tags = '{vip}', status = '4' where id = ${id}`);
  expect((await whyOf(closed, sn))?.params).toEqual({ version: '1.0', advice: 'passed.enableAndCopy' });
});

test('a release that is written anew, one that is paused and one that ended are told apart', async () => {
  await terminal();
  const id = await to({ releaseScope: '0' });
  const late = await terminal();
  expect(await keyOf(id, late.sn)).toBe('later');
  for (const state of ['returned', 'draft', 'auditing', 'ready']) {
    await run(sql`update rollout_task set state = ${state} where id = ${id}`);
    expect(await keyOf(id, late.sn), state).toBe('anew');
  }
  await run(sql`update rollout_task set state = 'paused' where id = ${id}`);
  expect(await keyOf(id, late.sn)).toBe('later');
  await run(sql`update rollout_task set gathered_at = null where id = ${id}`);
  expect(await keyOf(id, late.sn)).toBe('paused');
  await run(sql`update rollout_task set state = 'running' where id = ${id}`);
  expect(await keyOf(id, late.sn)).toBe('gathering');
  const endedAt = app.clock.now.toISOString();
  await run(sql`update rollout_task set state = 'cancelled', gathered_at = ${endedAt}, ended_at = ${endedAt} where id = ${id}`);
  expect(await whyOf(id, late.sn)).toEqual({ key: 'why.passed.ended', params: { at: endedAt } });
});

test('of a release whose package was deleted since, it is told like of any other', async () => {
  const at = await app.dept('Old bank');
  const [mine, mate] = [await terminal('1.0', { at }), await terminal('1.0', { at })];
  const gone = await makePackage(app, admin, app.root, productId, '1.5');
  const scope = { releaseScope: '2' as const, sns: [mate.sn] };
  const { id } = await admin.call(taskCalls.add, { name: 'Of before', packageId: gone, scope, release: true });
  await settle();
  await admin.call(taskCalls.cancel, { id });
  await admin.call(packageCalls.unpublish, { id: gone });
  await admin.call(packageCalls.delete, { id: gone });
  const { releases } = await admin.call(deviceReleaseCalls.passedOver, { deviceId: mine.id });
  expect(releases.find((one) => one.taskId === id)).toMatchObject({ taskVersion: '1.5', why: { key: 'why.passed.sns' } });
  expect(await keyOf(id, mine.sn)).toBe('sns');
});

test('the page of a terminal lists them, newest first and so many at a time; what it is in, and what ended long ago, isn’t there', async () => {
  const at = await app.dept('Small bank');
  const { id, sn } = await terminal('1.0', { at });
  const [mate] = [await terminal('1.0', { at })];
  const names: number[] = [];
  for (let n = 0; n < PASSED_SHOWN + 2; n += 1) names.unshift(await release([mate.sn]));
  const mine = await release([sn]);
  const first = await admin.call(deviceReleaseCalls.passedOver, { deviceId: id });
  expect(first.more).toBe(true);
  expect(first.releases.map((one) => one.taskId)).toEqual(names.slice(0, PASSED_SHOWN));
  expect(first.releases[0]).toMatchObject({ kind: 'firmware', taskName: 'Release', taskVersion: '2.0', why: { key: 'why.passed.sns' } });
  const before = first.releases.at(-1)?.taskId ?? 0;
  const then = await admin.call(deviceReleaseCalls.passedOver, { deviceId: id, before });
  expect(then.releases.slice(0, 2).map((one) => one.taskId)).toEqual(names.slice(PASSED_SHOWN));
  expect([...first.releases, ...then.releases].some((one) => one.taskId === mine)).toBe(false);
  await run(
    sql`update rollout_task set state = 'finished', ended_at = ${new Date(app.clock.now.getTime() - 31 * 86_400_000)} where id = ${names[0]}`,
  );
  const later = await admin.call(deviceReleaseCalls.passedOver, { deviceId: id });
  expect(later.releases[0]?.taskId).toBe(names[1]);
});

test('an organisation learns nothing of the targets of those above it, nor of other organisations’ releases and terminals', async () => {
  const own = await terminal();
  const outsider = await terminal('1.0', { at: other });
  const manager = await app.person('orgManager', owner);
  const above = await to({ ...some, deptIds: [other.id] });
  expect(await whyOf(above, own.sn, manager)).toEqual({ key: 'why.passed.targets', params: { version: '1.0' } });
  expect(await manager.call(deviceReleaseCalls.whyNot, { taskId: above, sn: outsider.sn })).toEqual({
    deviceId: null,
    isIn: false,
    why: null,
  });
  expect((await manager.send(deviceReleaseCalls.passedOver, { deviceId: outsider.id })).code).toBe(404);
  const theirs = await app.person('orgManager', other);
  const task = await theirs.call(taskCalls.add, { name: 'Theirs', packageId, scope: { releaseScope: '0' } });
  expect((await manager.send(deviceReleaseCalls.whyNot, { taskId: task.id, sn: own.sn })).code).toBe(404);
  expect((await manager.send(deviceReleaseCalls.whyNot, { taskId: above, sn: '%' } as never)).code).toBe(400);
});

test('who may not see a kind of release isn’t told of it', async () => {
  const own = await terminal();
  const taskId = await release([(await terminal()).sn]);
  const menus = codesWith('device:device:page');
  await run(sql`insert into access_role (code, name, type, category, platforms, menus, dept_id, dept_path)
    values ('looker', 'looker', '2', '0', '{centre}', ${menus}::text[], 1, '1.')`);
  const looker = await app.person('looker', app.root);
  expect((await looker.send(deviceReleaseCalls.whyNot, { taskId, sn: own.sn })).code).toBe(404);
  expect(await looker.call(deviceReleaseCalls.passedOver, { deviceId: own.id })).toEqual({ releases: [], more: false });
  expect((await admin.call(deviceReleaseCalls.passedOver, { deviceId: own.id })).releases[0]?.taskId).toBe(taskId);
});
