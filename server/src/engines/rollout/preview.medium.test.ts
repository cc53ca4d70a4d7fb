import { appPermissionCalls } from '@mooring/contract/app-permission/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { preTaskCalls, taskCalls } from '@mooring/contract/firmware/task-calls';
import { modulePackageCalls, moduleTaskCalls } from '@mooring/contract/module/calls';
import { patchPackageCalls, patchTaskCalls } from '@mooring/contract/patch/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makeFile, makePackage, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, tally } = releasing(
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
  packageId = await makePackage(app, admin, app.root, productId, '4.10');
});

const run = (query: ReturnType<typeof sql>) => app.context.unscoped((db) => query.execute(db));
const to = (names: readonly string[]) => ({ releaseScope: '2' as const, sns: [...names] });
const one = async (firmware: string, set?: ReturnType<typeof sql>): Promise<string> => {
  const [sn = ''] = sns(1);
  await makeDevices(app, owner, productId, [sn], firmware);
  if (set) await run(sql`update device set ${set} where sn = ${sn}`);
  return sn;
};

test('serial numbers that a ring names in vain are named: mistyped, or no target of the release', async () => {
  const [target, elsewhere] = [await one('4.9'), await one('4.9')];
  const [nobody = ''] = sns(1);
  const rings = [{ sns: [target, elsewhere, nobody], openAt: 100 }, { share: 100 }];
  const preview = await admin.call(taskCalls.preview, { packageId, scope: to([target]), delivery: { rings } });
  expect(preview.strayRingSns.toSorted()).toEqual([elsewhere, nobody].toSorted());
  expect(preview).toMatchObject({ matched: 1, rings: [1, 0] });
});

test('whoever would refuse is counted by reason and named before anything is sent; the rest is what is sent', async () => {
  const old = await one('4.9');
  const same = await one('4.10');
  const newer = [await one('4.11'), await one('5.0')];
  const disabled = await one('4.0', sql`status = '4'`);
  const otherProduct = await makeProduct(app, app.root);
  const [foreign = '', nobody = ''] = sns(2);
  await makeDevices(app, owner, otherProduct, [foreign]);
  const scope = to([old, same, ...newer, disabled, foreign, nobody]);
  const asked = { packageId, scope };
  const preview = await admin.call(taskCalls.preview, asked);
  expect(preview).toMatchObject({ matched: 1, byVersion: [{ version: '4.9', count: 1 }], unknownSns: [nobody] });
  expect(preview.refused.toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual([
    { reason: 'disabled', count: 1, sns: [disabled] },
    { reason: 'newer', count: 2, sns: newer },
    { reason: 'otherProduct', count: 1, sns: [foreign] },
    { reason: 'same', count: 1, sns: [same] },
  ]);
  const task = await admin.call(taskCalls.add, { name: 'Up', ...asked, release: true });
  await settle();
  expect(await tally(task.id)).toEqual({ '2': 1 });

  const down = { ...asked, delivery: { allowDowngrade: true } };
  expect(await admin.call(taskCalls.preview, down)).toMatchObject({ matched: 3 });
  const back = await admin.call(taskCalls.add, { name: 'Down', ...down, release: true });
  await settle();
  expect((await tally(back.id))['2']).toBe(2);
});

test('a release that all of them would refuse doesn’t begin', async () => {
  const scope = to([await one('4.11'), await one('5.0')]);
  expect(await admin.call(taskCalls.preview, { packageId, scope })).toMatchObject({ matched: 0, refused: [{ reason: 'newer', count: 2 }] });
  expect((await admin.send(taskCalls.add, { name: 'None', packageId, scope, release: true })).body).toMatchObject({ fault: 'NO_DEVICES' });
});

test('of many, the first few are named and all are counted', async () => {
  const many = sns(9);
  await makeDevices(app, owner, productId, many, '5.0');
  const { refused } = await admin.call(taskCalls.preview, { packageId, scope: { releaseScope: '0' } });
  expect(refused.map(({ reason, count, sns: named }) => [reason, count, named.length])).toEqual([['newer', 9, 5]]);
});

test('what can’t do it, and what has no such part, is counted too, for every kind', async () => {
  const has = (modules: object, patch: string | null, can = ['module', 'patch', 'appPermission']) =>
    one('1.0', sql`modules = ${JSON.stringify(modules)}::jsonb, patch = ${patch}, capabilities = ${can}::text[]`);
  const good = await has({ sp: '1.0' }, '2026-01');
  const ahead = await has({ sp: '3.0' }, '2026-09');
  const bare = await has({}, null);
  const unable = await has({ sp: '1.0' }, '2026-01', []);
  const scope = to([good, ahead, bare, unable]);
  const reasons = ({ matched, refused }: Awaited<ReturnType<typeof preview>>) => ({
    matched,
    refused: Object.fromEntries(refused.map(({ reason, sns: named }) => [reason, named])),
  });
  const preview = (packageOf: number) => admin.call(moduleTaskCalls.preview, { packageId: packageOf, scope });
  const fileId = await makeFile(app, admin, app.root);
  await run(sql`update file_file set kind = '6' where id = ${fileId}`);
  const module = await admin.call(modulePackageCalls.add, { productId, name: 'sp', version: '2.0', fileId, publish: true });
  await settlePublished(app);
  const expected = { matched: 1, refused: { newer: [ahead], noPart: [bare], notSupported: [unable] } };
  expect(reasons(await preview(module.id))).toEqual(expected);
  const patchFile = await makeFile(app, admin, app.root);
  const patch = await admin.call(patchPackageCalls.add, { productId, version: '2026-05', fileId: patchFile, publish: true });
  await settlePublished(app);
  expect(reasons(await admin.call(patchTaskCalls.preview, { packageId: patch.id, scope }))).toEqual(expected);
  const content = { list: 'print' as const, apps: ['com.a.one'] };
  expect(reasons(await admin.call(appPermissionCalls.preview, { content, scope }))).toEqual({
    matched: 3,
    refused: { notSupported: [unable] },
  });
});

test('a delta package without a full one serves its base alone; one that is verified and not in use is said', async () => {
  const base = await one('4.9');
  const other = await one('4.8');
  const baseId = await makePackage(app, admin, app.root, productId, '4.9');
  await run(sql`insert into rollout_difference (content, package_id, base_id, state, verification, size, sha256, dept_id, dept_path, created_by, created_by_name)
    values ('firmware', ${packageId}, ${baseId}, 'verified', '1', 10, 'x', ${app.root.id}, ${app.root.path}, 1, 'x')`);
  const scope = to([base, other]);
  const found = await admin.call(taskCalls.preview, { packageId, scope });
  expect(found.byVersion.map(({ version, gets, idle }) => [version, gets, idle]).toSorted()).toEqual([
    ['4.8', 'full', false],
    ['4.9', 'full', true],
  ]);
  const fileId = await makeFile(app, admin, app.root);
  const delta = await admin.call(packageCalls.add, { productId, version: '4.10', kind: 'DI', base: '4.9', fileId, publish: true });
  await settlePublished(app);
  expect(await admin.call(taskCalls.preview, { packageId: delta.id, scope })).toMatchObject({ matched: 2, refused: [] });
  await admin.call(packageCalls.unpublish, { id: packageId });
  expect(await admin.call(taskCalls.preview, { packageId: delta.id, scope })).toMatchObject({
    matched: 1,
    byVersion: [{ version: '4.9', gets: 'diff' }],
    refused: [{ reason: 'noPackage', count: 1, sns: [other] }],
  });
});

test('a first-contact release says which are active already', async () => {
  const active = await one('1.0');
  expect(await admin.call(preTaskCalls.preview, { packageId, scope: to([active]) })).toMatchObject({
    matched: 0,
    refused: [{ reason: 'active', count: 1, sns: [active] }],
  });
});

test('a start that is over is refused where it stands, in a draft as at its release', async () => {
  const scope = to([await one('1.0')]);
  const at = (minutes: number) => ({ startAt: new Date(app.clock.now.getTime() + minutes * 60_000).toISOString() });
  const draft = { name: 'Late', packageId, scope };
  const refused = await admin.send(taskCalls.add, { ...draft, delivery: at(-1) });
  expect(refused.body).toMatchObject({ fault: 'START_PAST', fields: { 'delivery.startAt': { message: expect.stringContaining('past') } } });
  const { id } = await admin.call(taskCalls.add, { ...draft, delivery: at(5) });
  app.clock.now = new Date(app.clock.now.getTime() + 6 * 60_000);
  expect((await admin.send(taskCalls.enable, { id })).body).toMatchObject({ fault: 'START_PAST' });
  await admin.call(taskCalls.edit, { ...draft, id });
  expect(await admin.call(taskCalls.enable, { id })).toMatchObject({ state: 'scheduled' });
});

test('the time that a pace takes is told for those online alone', async () => {
  const online = [await one('4.9', sql`status = '3'`), await one('4.9', sql`status = '3'`), await one('4.9', sql`status = '3'`)];
  const offline = [await one('4.9', sql`status = '2'`), await one('4.9', sql`status = '2'`)];
  const asked = (delivery: object) => admin.call(taskCalls.preview, { packageId, scope: to([...online, ...offline]), delivery });
  expect(await asked({ pacePerMinute: 2 })).toMatchObject({ matched: 5, online: 3, minutes: 2 });
  expect(await asked({})).toMatchObject({ matched: 5, online: 3, minutes: null });
});

test('of a release of an organisation below that is edited, its terminals alone are counted', async () => {
  const [below, beside] = [await app.dept('Below', owner), await app.dept('Beside')];
  await makeDevices(app, below, productId, sns(1), '4.0');
  await makeDevices(app, beside, productId, sns(1), '4.0');
  const manager = await app.person('orgManager', below);
  const scope = { releaseScope: '0' as const };
  const { id: taskId } = await manager.call(taskCalls.add, { name: 'Theirs', packageId, scope });
  expect(await admin.call(taskCalls.preview, { packageId, scope })).toMatchObject({ matched: 2 });
  expect(await admin.call(taskCalls.preview, { packageId, scope, taskId })).toMatchObject({ matched: 1 });
  const other = await app.person('orgManager', beside);
  expect((await other.send(taskCalls.preview, { packageId, scope, taskId })).code).toBe(404);
});
