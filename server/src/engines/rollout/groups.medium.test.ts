import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, tally, stateOf, detail } = releasing(
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

let made = 0;
const group = async (more: object = {}) =>
  (await admin.call(deviceGroupCalls.add, { name: `Group ${++made}`, kind: 'static', deptId: bank.id, ...more })).id;
const put = (groupId: number, ids: readonly number[]) => admin.call(deviceGroupCalls.addMembers, { of: { ids: [...ids] }, groupId });
const tag = (id: number, name: string, ...tags: string[]) => admin.call(deviceCalls.update, { id, name, tags });
async function release(groupIds: readonly number[], delivery: object = {}, scope: object = {}): Promise<number> {
  const { id } = await admin.call(taskCalls.add, {
    name: 'To groups',
    packageId,
    scope: { releaseScope: '1', groupIds: [...groupIds], ...scope },
    delivery,
    release: true,
  });
  await settle();
  return id;
}
const follow = async () => {
  await app.runJobs();
  await settle();
};
const remove = (id: number) => admin.send(deviceGroupCalls.delete, { id });

test('a release goes to whoever is in one of its groups and meets its other conditions; its preview says how many', async () => {
  const [first = '', second = '', third = ''] = sns(3);
  const [one = 0, two = 0] = await makeDevices(app, bank, productId, [first, second, third]);
  const chosen = await group();
  await put(chosen, [one]);
  await tag(two, second, 'kiosk');
  const rule = await group({ kind: 'rule', rule: { tag: 'kiosk' } });
  const scope = { releaseScope: '1' as const, groupIds: [chosen, rule] };
  expect(await admin.call(taskCalls.preview, { packageId, scope })).toMatchObject({ matched: 2 });
  const id = await release([chosen, rule]);
  expect(await tally(id)).toEqual({ '2': 2 });
  expect((await detail(id)).scope).toMatchObject({ groupIds: [chosen, rule] });
  expect(await tally(await release([chosen, rule], {}, { tags: ['kiosk'] }))).toEqual({ '1': 1 });
});

test('what it was given stays as it was when it began, unless it takes in later terminals', async () => {
  const [first = '', second = ''] = sns(2);
  const [one = 0, two = 0] = await makeDevices(app, bank, productId, [first, second]);
  const groupId = await group();
  await put(groupId, [one]);
  const frozen = await release([groupId]);
  const open = await release([groupId], { laterMembers: true, onBusy: 'replace' });
  await put(groupId, [two]);
  await put(groupId, [two]);
  await follow();
  const total = async (id: number) => Object.values(await tally(id)).reduce((all, n) => all + n, 0);
  expect([await total(frozen), await total(open)]).toEqual([1, 2]);
});

test('where the rule of a group becomes another, a release that takes in later terminals finds those of the new one', async () => {
  const [first = '', second = ''] = sns(2);
  const [one = 0, two = 0] = await makeDevices(app, bank, productId, [first, second]);
  await tag(one, first, 'old');
  await tag(two, second, 'new');
  const groupId = await group({ kind: 'rule', rule: { tag: 'old' } });
  const id = await release([groupId], { laterMembers: true });
  expect(await tally(id)).toEqual({ '2': 1 });
  await admin.call(deviceGroupCalls.update, { id: groupId, name: `Group ${++made}`, rule: { tag: 'new' } });
  await follow();
  expect([await tally(id), await stateOf(id)]).toEqual([{ '2': 2 }, 'running']);
});

test('whoever changes the rule of a group below, a release of an organisation above finds those of the new one', async () => {
  const [first = '', second = ''] = sns(2);
  const [one = 0, two = 0] = await makeDevices(app, bank, productId, [first, second]);
  await tag(one, first, 'past');
  await tag(two, second, 'next');
  const groupId = await group({ kind: 'rule', rule: { tag: 'past' } });
  const id = await release([groupId], { laterMembers: true });
  await follow();
  expect(await tally(id)).toEqual({ '2': 1 });
  const manager = await app.person('orgManager', bank);
  await manager.call(deviceGroupCalls.update, { id: groupId, name: `Group ${++made}`, rule: { tag: 'next' } });
  await follow();
  expect(await tally(id)).toEqual({ '2': 2 });
});

test('a group that gets another name alone has no release look for its terminals again', async () => {
  const groupId = await group({ kind: 'rule', rule: { tag: 'kept' } });
  const id = await release([groupId], { laterMembers: true });
  const gathered = async () =>
    (
      await app.context.unscoped((db) =>
        sql<{ done: boolean }>`select gathered_at is not null as done from rollout_task where id = ${id}`.execute(db),
      )
    ).rows[0]?.done;
  await admin.call(deviceGroupCalls.update, { id: groupId, name: `Group ${++made}`, rule: { tag: 'kept' } });
  await app.runJobs();
  expect(await gathered()).toBe(true);
  await admin.call(deviceGroupCalls.update, { id: groupId, name: `Group ${++made}`, rule: { tag: 'another' } });
  await app.runJobs();
  expect(await gathered()).toBe(false);
});

test('a ring may be the terminals of groups, chosen or by rule', async () => {
  const names = sns(4);
  const [one = 0, two = 0] = await makeDevices(app, bank, productId, names);
  const chosen = await group();
  await put(chosen, [one]);
  await tag(two, names[1] ?? '', 'ring');
  const rule = await group({ kind: 'rule', rule: { tag: 'ring' } });
  const rings = [{ groupIds: [chosen] }, { groupIds: [rule] }, {}];
  const scope = { releaseScope: '0' as const };
  expect(await admin.call(taskCalls.preview, { packageId, scope, delivery: { rings } })).toMatchObject({ rings: [1, 1, 2] });
  const { id } = await admin.call(taskCalls.add, { name: 'Rings', packageId, scope, delivery: { rings }, release: true });
  await settle();
  expect((await detail(id)).rings.map((ring) => ring.total)).toEqual([1, 1, 2]);
});

test('a group that an open release is for stays, and the release is named; once it has ended it may go', async () => {
  const [one = 0] = await makeDevices(app, bank, productId, sns(1));
  const [groupId, ring] = [await group(), await group()];
  await put(groupId, [one]);
  const { id } = await admin.call(taskCalls.add, {
    name: 'Spring update',
    packageId,
    scope: { releaseScope: '1', groupIds: [groupId] },
    delivery: { rings: [{ groupIds: [ring] }, {}] },
  });
  for (const each of [groupId, ring]) {
    const refused = await remove(each);
    expect([refused.body?.fault, JSON.stringify(refused)]).toEqual(['GROUP_IN_USE', expect.stringContaining('Spring update')]);
    const row = await admin.call(deviceGroupCalls.detail, { id: each });
    expect([row.usedBy, row.allowedActions.includes('delete')]).toEqual(['Spring update', false]);
  }
  await admin.call(taskCalls.delete, { id });
  for (const each of [groupId, ring]) expect((await remove(each)).code).toBe(200);
  expect((await admin.send(taskCalls.add, { name: 'x', packageId, scope: { releaseScope: '1', groupIds: [groupId] } })).code).toBe(404);
});

test('a group that is deleted while a release is being written for it: one of the two is refused', async () => {
  for (let at = 0; at < 5; at += 1) {
    const groupId = await group();
    const adding = admin.send(taskCalls.add, { name: 'Race', packageId, scope: { releaseScope: '1', groupIds: [groupId] } });
    const codes = (await Promise.all([adding, remove(groupId)])).map((one) => one.code);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
  }
});

test('a scope of groups alone narrows; one without any condition does not', async () => {
  const scope = { releaseScope: '1' as const };
  expect((await admin.send(taskCalls.preview, { packageId, scope })).body?.fault).toBe('SCOPE_EMPTY');
  expect(await admin.call(taskCalls.preview, { packageId, scope: { ...scope, groupIds: [await group()] } })).toMatchObject({ matched: 0 });
});
