import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls, MOST_GROUPS, MOST_RULES } from '@mooring/contract/device/group-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../org/api.ts';
import { foldGroups } from '../fold-tally.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let admin: Client;
let manager: Client;
let productId = 0;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

let made = 0;
const sns = (count: number) => Array.from({ length: count }, () => `GRP${String(++made).padStart(6, '0')}`);
const group = async (more: object = {}, who = admin) =>
  (await who.call(deviceGroupCalls.add, { name: `Group ${++made}`, kind: 'static', deptId: bank.id, ...more })).id;
const detail = (id: number) => admin.call(deviceGroupCalls.detail, { id });
const within = async (groupId: number, who = admin) =>
  (await who.call(deviceCalls.page, { criteria: { groupId }, page: { sort: 'sn', order: 'asc' } })).content.map((one) => one.sn);
const add = (groupId: number, ids: readonly number[]) => admin.call(deviceGroupCalls.addMembers, { of: { ids: [...ids] }, groupId });
const remove = async (id: number) => {
  await admin.call(deviceCalls.disable, { of: { ids: [id] } });
  await admin.call(deviceCalls.delete, { of: { ids: [id] } });
};
const groupsOf = async (id: number, who = admin) => (await who.call(deviceCalls.detail, { id })).groups.map((one) => one.name);

test('terminals of the range come in and leave by selection; the others are refused and counted before', async () => {
  const [first = '', second = '', third = ''] = sns(3);
  const [one = 0] = await makeDevices(app, bank, productId, [first]);
  const [two = 0] = await makeDevices(app, branch, productId, [second]);
  const [far = 0] = await makeDevices(app, other, productId, [third]);
  const id = await group({ name: 'Tills' });
  const of = { ids: [one, two, far] };
  expect(await admin.call(deviceGroupCalls.addMembers, { of, groupId: id, preview: true })).toMatchObject({
    total: 3,
    refused: 1,
    done: 0,
  });
  expect(await add(id, of.ids)).toMatchObject({ total: 3, done: 2, refused: 1, failed: [{ label: third }] });
  expect([await within(id), (await detail(id)).members]).toEqual([[first, second], 2]);
  expect(await add(id, of.ids)).toMatchObject({ done: 0, refused: 3 });
  expect(await groupsOf(one)).toEqual(['Tills']);
  expect(await admin.call(deviceGroupCalls.removeMembers, { of: { criteria: { groupId: id }, except: [two] }, groupId: id })).toMatchObject(
    {
      done: 1,
    },
  );
  await app.context.unscoped((db) => foldGroups(db));
  expect([await within(id), (await detail(id)).members]).toEqual([[second], 1]);
});

test('more than one batch goes on in the background, and the file of the list names the groups', async () => {
  const many = await makeDevices(app, branch, productId, sns(1200));
  const id = await group({ name: 'Many' });
  const { work } = await admin.call(deviceGroupCalls.addMembers, { of: { criteria: { deptId: branch.id }, except: [] }, groupId: id });
  expect(work).not.toBeNull();
  await app.runJobs();
  expect((await detail(id)).members).toBeGreaterThanOrEqual(many.length);
});

test('a list of serial numbers is taken whole or, where it is asked for, without those that are said to be wrong', async () => {
  const [good = '', inside = '', far = ''] = sns(3);
  await makeDevices(app, bank, productId, [good, inside]);
  await makeDevices(app, other, productId, [far]);
  const id = await group();
  const list = [` ${good.toLowerCase()} `, good, 'no', 'NOBODY-1', far, inside, ''];
  const refused = [
    { sn: good, reason: 'twice' },
    { sn: 'NO', reason: 'wrong' },
    { sn: 'NOBODY-1', reason: 'unknown' },
    { sn: far, reason: 'outside' },
  ];
  const asked = { groupId: id, sns: list };
  expect(await admin.call(deviceGroupCalls.addSns, asked)).toEqual({ added: 0, already: 0, refused: 4, problems: refused });
  expect(await within(id)).toEqual([]);
  expect(await admin.call(deviceGroupCalls.addSns, { ...asked, anyway: true })).toMatchObject({ added: 2, refused: 4 });
  expect(await admin.call(deviceGroupCalls.addSns, { groupId: id, sns: [good, inside] })).toMatchObject({
    added: 0,
    already: 2,
    refused: 0,
  });
  // Of somebody else's terminal it isn't told that there is one.
  const own = await group({}, manager);
  expect((await manager.call(deviceGroupCalls.addSns, { groupId: own, sns: [far] })).problems).toEqual([{ sn: far, reason: 'unknown' }]);
  expect((await admin.send(deviceGroupCalls.addSns, { groupId: id, sns: Array.from({ length: 20_001 }, () => good) })).code).toBe(400);
});

test('a group by rule has whoever meets it now, and nobody by hand', async () => {
  const [first = '', second = ''] = sns(2);
  const [one = 0, two = 0] = await makeDevices(app, bank, productId, [first, second]);
  const rule = { tag: 'kiosk' };
  expect((await admin.send(deviceGroupCalls.add, { name: 'x', kind: 'rule', deptId: bank.id })).code).toBe(400);
  expect((await admin.send(deviceGroupCalls.add, { name: 'x', kind: 'rule', deptId: bank.id, rule: {} })).code).toBe(400);
  expect((await admin.send(deviceGroupCalls.add, { name: 'x', kind: 'static', deptId: bank.id, rule })).code).toBe(400);
  expect((await admin.send(deviceGroupCalls.add, { name: 'x', kind: 'rule', deptId: bank.id, rule: { groupId: 1 } })).code).toBe(400);
  const id = await group({ name: 'Kiosks', kind: 'rule', rule });
  expect([await within(id), (await detail(id)).members]).toEqual([[], null]);
  await admin.call(deviceCalls.update, { id: one, name: first, tags: ['kiosk'] });
  expect([await within(id), await groupsOf(one), await groupsOf(two)]).toEqual([[first], ['Kiosks'], []]);
  expect(await admin.call(deviceGroupCalls.preview, { deptId: bank.id, rule })).toEqual({ total: 1, capped: false });
  expect((await admin.send(deviceGroupCalls.addMembers, { of: { ids: [two] }, groupId: id })).body?.fault).toBe('GROUP_BY_RULE');
  await admin.call(deviceGroupCalls.update, { id, name: 'Named', rule: { sn: second } });
  expect(await within(id)).toEqual([second]);
  await remove(two);
  expect(await within(id)).toEqual([]);
});

test('a rule may ask whatever the list filters by', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, branch, productId, [sn]);
  const rules = [
    { text: sn },
    { sn, status: { in: ['1', '2', '3'] } },
    { sn, productId, deptId: branch.id },
    { sn, createdAt: { greaterThanOrEqual: '2000-01-01T00:00:00.000Z' } },
  ];
  for (const rule of rules) expect([rule, await within(await group({ kind: 'rule', rule }))]).toEqual([rule, [sn]]);
  const nobody = [
    { sn, attention: 'silent' },
    { sn, behind: true },
    { sn, firmware: '0.0' },
  ];
  for (const rule of nobody) expect([rule, await within(await group({ kind: 'rule', rule }))]).toEqual([rule, []]);
});

test('a terminal that is deleted, or goes out of the range, leaves its groups; one that stays in it stays', async () => {
  const [first = '', second = '', third = ''] = sns(3);
  const [gone = 0, moved = 0, stays = 0] = await makeDevices(app, bank, productId, [first, second, third]);
  const above = await group({ name: 'Above', deptId: app.root.id });
  const id = await group();
  for (const each of [above, id]) await add(each, [gone, moved, stays]);
  await remove(gone);
  await admin.call(deviceCalls.move, { of: { ids: [moved] }, deptId: other.id });
  await admin.call(deviceCalls.move, { of: { ids: [stays] }, deptId: branch.id });
  expect([await within(id), await within(above)]).toEqual([[third], [second, third]]);
  await admin.call(deviceCalls.restore, { id: gone });
  expect([await groupsOf(gone), (await detail(id)).members]).toEqual([[], 1]);
});

test('who moves a terminal needn’t see the group that it leaves by that', async () => {
  const [sn = ''] = sns(1);
  const north = await app.dept('North', branch);
  const [device = 0] = await makeDevices(app, north, productId, [sn]);
  const id = await group({ deptId: north.id });
  await add(id, [device]);
  const here = await app.person('orgManager', branch);
  await here.call(deviceCalls.move, { of: { ids: [device] }, deptId: branch.id });
  expect((await detail(id)).members).toBe(0);
});

test('a group is its organisation’s and theirs above it: nobody beside or below sees it, by whatever way', async () => {
  const [sn = ''] = sns(1);
  const [device = 0] = await makeDevices(app, branch, productId, [sn]);
  const id = await group({ name: 'Secret' });
  await add(id, [device]);
  const rival = await app.person('orgManager', other);
  const below = await app.person('orgManager', branch);
  for (const who of [rival, below]) {
    expect((await who.send(deviceGroupCalls.detail, { id })).code).toBe(404);
    expect((await who.send(deviceGroupCalls.addMembers, { of: { ids: [device] }, groupId: id })).code).toBe(404);
    expect(await who.call(deviceGroupCalls.list, { ids: [id] })).toEqual([]);
    expect(await within(id, who)).toEqual([]);
  }
  expect(await groupsOf(device, below)).toEqual([]);
  expect(await groupsOf(device, manager)).toEqual(['Secret']);
  expect((await below.send(deviceGroupCalls.add, { name: 'x', kind: 'static', deptId: bank.id })).code).toBe(404);
});

test('a name is one group’s in its organisation, however it is written and whoever adds it at the same time', async () => {
  const both = ['Twice', 'tWICE'].map((name) => admin.send(deviceGroupCalls.add, { name, kind: 'static', deptId: bank.id }));
  const answers = await Promise.all(both);
  expect(answers.map((one) => one.body?.fault ?? one.code).sort()).toEqual([200, 'GROUP_NAME_TAKEN']);
  await group({ name: 'Twice', deptId: branch.id });
});

test('two who add the same terminals at once add each once', async () => {
  const ids = await makeDevices(app, bank, productId, sns(40));
  const id = await group();
  const done = await Promise.all([add(id, ids), add(id, [...ids].reverse())]);
  expect([done.reduce((all, one) => all + one.done, 0), (await detail(id)).members]).toEqual([40, 40]);
});

test('a terminal is in so many groups and no more', async () => {
  const [device = 0] = await makeDevices(app, bank, productId, sns(1));
  await app.context.unscoped((db) =>
    sql`with made as (insert into device_group (name, kind, dept_id, dept_path) select 'Full ' || n, 'static', ${bank.id}, ${bank.path} from generate_series(1, ${MOST_GROUPS}) n returning id)
      insert into device_group_member select id, ${device}, ${bank.path} from made`.execute(db),
  );
  const id = await group();
  expect(await add(id, [device])).toMatchObject({ done: 0, refused: 1 });
});

test('organisations that have a group of the same name each are merged: the group that comes gets its number behind its name', async () => {
  const [from, into] = [await app.dept('From'), await app.dept('Into')];
  const long = 'L'.repeat(64);
  for (const name of ['Kiosks', long]) await group({ name, deptId: into.id });
  const [kiosks, longer] = [await group({ name: 'KIOSKS', deptId: from.id }), await group({ name: long, deptId: from.id })];
  const plain = await group({ name: 'Only here', deptId: from.id });
  await admin.call(deptCalls.merge, { id: from.id, into: into.id });
  await app.runJobs();
  const merged = await Promise.all([kiosks, longer, plain].map(detail));
  expect(merged.map(({ name, deptId }) => [name, deptId])).toEqual([
    [`KIOSKS-${kiosks}`, into.id],
    [`${'L'.repeat(63 - String(longer).length)}-${longer}`, into.id],
    ['Only here', into.id],
  ]);
});

test('groups by rule have a bound on each way down, those above and below counted, also where two are added at once', async () => {
  const [crowd, alone] = [await app.dept('Crowd'), await app.dept('Alone')];
  const below = await app.dept('Crowd below', crowd);
  const rule = { text: 'CROWD' };
  await app.context.unscoped((db) =>
    sql`insert into device_group (name, kind, rule, dept_id, dept_path)
      select 'Rule ' || n, 'rule', ${JSON.stringify(rule)}::jsonb, ${crowd.id}, ${crowd.path}
      from generate_series(1, ${MOST_RULES} - 1 - (select count(*)::int from device_group where kind = 'rule' and starts_with(${crowd.path}, dept_path))) n`.execute(
      db,
    ),
  );
  const one = (name: string, deptId: number) => admin.send(deviceGroupCalls.add, { name, kind: 'rule', rule, deptId });
  const both = await Promise.all([one('Left', below.id), one('Right', below.id)]);
  expect(both.map((answer) => answer.body?.fault ?? answer.code).sort()).toEqual([200, 'GROUP_RULES_MANY']);
  expect((await one('Above', crowd.id)).body?.fault).toBe('GROUP_RULES_MANY');
  expect((await one('Beside', alone.id)).code).toBe(200);
  const [sn = ''] = sns(1);
  const [id = 0] = await makeDevices(app, below, productId, [sn]);
  await admin.call(deviceCalls.update, { id, name: 'CROWD 1' });
  expect(await groupsOf(id)).toHaveLength(MOST_RULES);
});
