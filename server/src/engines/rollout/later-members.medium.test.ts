import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { drifting } from './drift/drift.factory.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let bank: DeptAt;
let other: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, tally, stateOf, offers, subscribe } = releasing(
  () => app,
  () => admin,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  other = await app.dept('Other');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

async function release(scope: object, laterMembers: boolean): Promise<number> {
  const { id } = await admin.call(taskCalls.add, {
    name: 'Release',
    packageId,
    scope: { releaseScope: '1', ...scope },
    delivery: { laterMembers },
    release: true,
  });
  await settle();
  return id;
}
/** What was enqueued, and what the engine makes of it. */
const follow = async () => {
  await app.runJobs();
  await settle();
};
const tag = (id: number, name: string) => admin.call(deviceCalls.update, { id, name, tags: ['till'], remark: '', notes: '' });

test('a terminal that is tagged, or moved to, while the release runs joins it once; it ends by hand or by its day alone', async () => {
  const [first = '', second = '', third = ''] = sns(3);
  const [tilled = 0] = await makeDevices(app, bank, productId, [first]);
  const [later = 0] = await makeDevices(app, bank, productId, [second]);
  const [moved = 0] = await makeDevices(app, other, productId, [third]);
  await tag(tilled, first);
  await tag(moved, third);
  const id = await release({ deptIds: [bank.id], tags: ['till'] }, true);
  const [offer] = await offers(id);
  if (!offer) throw new Error('no offer');
  await subscribe('result', offer, { outcome: 'success', version: '2.0' });
  await settle();
  expect([await tally(id), await stateOf(id)]).toEqual([{ '3': 1 }, 'running']);
  await tag(later, second);
  await tag(later, second);
  await follow();
  expect(await tally(id)).toEqual({ '2': 1, '3': 1 });
  await admin.call(deviceCalls.move, { of: { ids: [moved] }, deptId: bank.id });
  await follow();
  expect(await tally(id)).toEqual({ '2': 2, '3': 1 });
  app.clock.now = new Date(app.clock.now.getTime() + 31 * 86_400_000);
  await settle();
  expect(await stateOf(id)).toBe('finished');
});

test('terminals that are restored, moved or given to a merchant many at a time join', async () => {
  const names = sns(3);
  const [gone = 0] = await makeDevices(app, bank, productId, names.slice(0, 1));
  const [given = 0] = await makeDevices(app, bank, productId, names.slice(1, 2));
  const [moved = 0] = await makeDevices(app, other, productId, names.slice(2));
  await tag(gone, names[0] ?? '');
  await admin.call(deviceCalls.disable, { of: { ids: [gone] } });
  await admin.call(deviceCalls.enable, { of: { ids: [gone] } });
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where id = ${gone}`.execute(db));
  const { id: merchantId } = await admin.call(merchantCalls.add, { number: 'LATER', name: 'Later', deptId: bank.id });
  const { id: groupId } = await admin.call(deviceGroupCalls.add, { name: 'Of Later', kind: 'rule', rule: { merchantId }, deptId: bank.id });
  const tagged = await release({ deptIds: [bank.id], tags: ['till'] }, true);
  const grouped = await release({ groupIds: [groupId] }, true);
  await tag(moved, names[2] ?? '');
  await follow();
  expect([await tally(tagged), await tally(grouped)]).toEqual([{}, {}]);
  await admin.call(deviceCalls.restoreMany, { of: { ids: [gone] } });
  await admin.call(deviceCalls.move, { of: { ids: [moved] }, deptId: bank.id });
  await admin.call(merchantCalls.assign, { of: { ids: [given] }, merchantId, shopId: null });
  await follow();
  const count = async (id: number) => Object.values(await tally(id)).reduce((all, n) => all + n, 0);
  expect([await count(tagged), await count(grouped)]).toEqual([2, 1]);
});

test('a terminal that comes to be a target by what it reports itself joins, by its version and by the rule of a group', async () => {
  const [sn = '', agent = ''] = sns(2);
  const { report } = drifting(
    () => app,
    () => admin,
  );
  await makeDevices(app, bank, productId, [sn, agent]);
  await report(sn, { firmware: '0.9' });
  await report(agent, { firmware: '0.8' });
  const rule = { firmware: '0.7' };
  const { id: groupId } = await admin.call(deviceGroupCalls.add, { name: 'Runs 0.7', kind: 'rule', rule, deptId: bank.id });
  const byVersion = await release({ firmware: ['1.0'] }, true);
  const byGroup = await release({ groupIds: [groupId] }, true);
  await report(sn, { firmware: '1.0' });
  await report(agent, { firmware: '0.7' });
  await follow();
  expect([await tally(byVersion), await tally(byGroup)]).toEqual([{ '2': 1 }, { '2': 1 }]);
});

test('terminals of an organisation that is moved to where a release goes join', async () => {
  const region = await app.dept('Region');
  const target = await app.dept('Target', region);
  const moving = await app.dept('Moving', await app.dept('Elsewhere'));
  const [sn = ''] = sns(1);
  await makeDevices(app, moving, productId, [sn]);
  const id = await release({ deptIds: [target.id] }, true);
  await admin.call(deptCalls.move, { id: moving.id, parentId: target.id });
  await follow();
  await follow();
  expect(await tally(id)).toEqual({ '2': 1 });
});

test('a release that doesn’t say so keeps to the terminals that it began with', async () => {
  const [first = '', second = ''] = sns(2);
  const [tilled = 0, later = 0] = await makeDevices(app, bank, productId, [first, second]);
  await tag(tilled, first);
  const id = await release({ tags: ['till'] }, false);
  await tag(later, second);
  await follow();
  expect(await tally(id)).toEqual({ '2': 1 });
});

test('what takes in later terminals may begin with none', async () => {
  const [sn = ''] = sns(1);
  const [device = 0] = await makeDevices(app, bank, productId, [sn]);
  const id = await release({ tags: ['till'] }, true);
  expect([await tally(id), await stateOf(id)]).toEqual([{}, 'running']);
  await tag(device, sn);
  await follow();
  expect(await tally(id)).toEqual({ '2': 1 });
});

test('of terminals that join later each ring gets about its share, whatever the ones at the beginning were like', async () => {
  const rows = <T>(query: ReturnType<typeof sql>) => app.context.unscoped(async (db) => (await query.execute(db)).rows as T[]);
  const drawn = await rows<{ sn: string }>(sql`select sn from unnest(${sns(300)}::text[]) sn order by hashtextextended(sn, 0)`);
  const [first = '', ...rest] = drawn.map((one) => one.sn).reverse();
  const growing = await app.dept('Growing');
  await makeDevices(app, growing, productId, [first]);
  const { id } = await admin.call(taskCalls.add, {
    name: 'Grows',
    packageId,
    scope: { releaseScope: '1', deptIds: [growing.id] },
    delivery: { laterMembers: true, rings: [{ share: 5, waitForPerson: true }, { share: 50 }, { share: 100 }] },
    release: true,
  });
  await settle();
  const ids = await makeDevices(app, growing, productId, rest);
  await app.context.unscoped((db) => app.context.enqueue(db, 'rollout.joinPreTasks', { ids }));
  await follow();
  const rings = await rows<{ n: number }>(
    sql`select count(r.id)::int as n from generate_series(1, 3) no left join rollout_result r on r.task_id = ${id} and r.ring = no group by no order by no`,
  );
  const [one = 0, two = 0, three = 0] = rings.map(({ n }) => n);
  expect(one + two + three).toBe(300);
  expect(one).toBeGreaterThan(3);
  expect(one).toBeLessThan(40);
  expect(two).toBeGreaterThan(100);
  expect(two).toBeLessThan(170);
});

test('a release of an organisation that another one takes in waits for a person before it goes on to the other’s terminals', async () => {
  const small = await app.dept('Small');
  const manager = await app.person('orgManager', small);
  const [own = '', theirs = ''] = sns(2);
  await makeDevices(app, small, productId, [own]);
  await makeDevices(app, other, productId, [theirs]);
  const input = { packageId, scope: { releaseScope: '0' as const }, release: true };
  const taking = await manager.call(taskCalls.add, { ...input, name: 'Takes in', delivery: { laterMembers: true } });
  await settle();
  const given = await manager.call(taskCalls.add, { ...input, name: 'Given', delivery: {} });
  await settle();
  await admin.call(deptCalls.merge, { id: small.id, into: other.id });
  await follow();
  expect(await admin.call(taskCalls.detail, { id: taking.id })).toMatchObject({ state: 'paused', haltReason: 'deptMerged' });
  expect(await admin.call(taskCalls.detail, { id: given.id })).toMatchObject({ state: 'running' });
  const sent = await app.context.unscoped((db) => sql`select from rollout_result where sn = ${theirs} and attempts > 0`.execute(db));
  expect(sent.rows).toEqual([]);
});
