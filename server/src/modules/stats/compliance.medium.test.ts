import { deptCalls } from '@mooring/contract/org/calls';
import { complianceCalls } from '@mooring/contract/stats/compliance-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { clockwork } from './stats.factory.ts';

let app: TestApp;
let bank: DeptAt;
let north: DeptAt;
let south: DeptAt;
let admin: Client;
let manager: Client;
let productId = 0;
let packageId = 0;

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  north = await app.dept('North', bank);
  south = await app.dept('South', bank);
  const other = await app.dept('Other');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root, 'A920');
  await makePackage(app, admin, app.root, productId, '1.5');
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
  const bare = await makeProduct(app, app.root, 'BARE');
  await makeDevices(
    app,
    north,
    productId,
    ['N1', 'N2', 'N3'].map((sn) => `${sn}XX`),
    '1.0',
  );
  await makeDevices(app, south, productId, ['S1XX'], '2.0');
  await makeDevices(app, bank, productId, ['B1XX'], '1.5');
  await makeDevices(app, south, bare, ['S2XX'], '0.1');
  await makeDevices(app, other, productId, ['O1XX'], '1.0');
});
afterAll(() => app.stop());

const rowsOf = async (client: Client, input = {}) => {
  const { rows, ...sums } = await client.call(complianceCalls.versions, input);
  return { ...sums, rows: rows.map((row) => [row.version, row.count, row.behind, row.approved, row.packageId]) };
};

test('who is behind stands first, with the package that brings them up; what nothing is published for is never behind', async () => {
  expect(await rowsOf(manager)).toEqual({
    total: 6,
    behind: 4,
    judged: 5,
    more: 0,
    rows: [
      ['1.0', 3, true, '2.0', packageId],
      ['1.5', 1, true, '2.0', packageId],
      ['0.1', 1, false, null, null],
      ['2.0', 1, false, '2.0', packageId],
    ],
  });
  expect(await rowsOf(manager, { deptId: south.id, productId })).toEqual({
    total: 1,
    behind: 0,
    judged: 1,
    more: 0,
    rows: [['2.0', 1, false, '2.0', packageId]],
  });
});

test('each organisation below has its own figures, and what is held above them stands among them, before and after they are added up', async () => {
  const below = { criteria: {} };
  const expected = [
    { id: bank.id, name: 'Bank', self: true, total: 1, behind: 1, judged: 1 },
    { id: north.id, name: 'North', self: false, total: 3, behind: 3, judged: 3 },
    { id: south.id, name: 'South', self: false, total: 2, behind: 0, judged: 1 },
  ];
  expect((await manager.call(complianceCalls.depts, below)).content).toEqual(expected);
  await app.runJobs();
  expect((await manager.call(complianceCalls.depts, below)).content).toEqual(expected);
  const named = await admin.call(complianceCalls.depts, { criteria: { parentId: bank.id, text: 'sou', productId } });
  expect(named.content).toEqual([{ id: south.id, name: 'South', self: false, total: 1, behind: 0, judged: 1 }]);
  // Where all is held below, it is none of the list.
  expect((await admin.call(complianceCalls.depts, below)).content.map((one) => one.self)).not.toContain(true);
});

test('nobody sees the figures of an organisation that isn’t theirs', async () => {
  const beside = await app.person('orgManager', north);
  expect((await beside.send(complianceCalls.versions, { deptId: south.id })).code).toBe(404);
  expect((await beside.send(complianceCalls.depts, { criteria: { parentId: bank.id } })).code).toBe(404);
  expect((await rowsOf(beside)).total).toBe(3);
});

test('versions are told day by day, back from what runs now; a unit that moves takes its own days along', async () => {
  const { fold } = clockwork(() => app);
  const day = 24 * 3_600_000;
  await fold();
  const first = app.clock.now;
  app.clock.now = new Date(first.getTime() + 2 * day);
  await app.context.unscoped((db) => db.updateTable('device').set({ firmware: '1.5' }).where('sn', 'in', ['N1XX', 'N2XX']).execute());
  await fold();
  app.clock.now = new Date(first.getTime() + 3 * day);
  await app.context.unscoped((db) => db.updateTable('device').set({ firmware: '2.0' }).where('sn', '=', 'N1XX').execute());
  // Not added up yet: today's all the same.
  const told = async (input = {}) => {
    const { days, series, others } = await manager.call(complianceCalls.history, { productId, ...input });
    expect(days).toHaveLength(4);
    expect(others).toEqual([0, 0, 0, 0]);
    return Object.fromEntries(series.map((one) => [one.version, one.counts]));
  };
  const north4 = { '1.0': [3, 3, 1, 1], '1.5': [0, 0, 2, 1], '2.0': [0, 0, 0, 1] };
  expect(await told()).toEqual({ '1.0': [3, 3, 1, 1], '1.5': [1, 1, 3, 2], '2.0': [1, 1, 1, 2] });
  expect(await told({ deptId: north.id })).toEqual(north4);
  await fold();
  expect(await told({ deptId: north.id })).toEqual(north4);

  await admin.call(deptCalls.move, { id: north.id, parentId: south.id });
  await app.runJobs();
  await fold();
  expect(await told({ deptId: north.id })).toEqual(north4);
  expect((await told())['2.0']).toEqual([1, 1, 1, 2]);
  // Above it, it comes on the day on which it came.
  expect((await told({ deptId: south.id }))['1.0']).toEqual([0, 0, 0, 1]);
});

test('a terminal that says a new version every minute, and a thousand that say one each, leave few rows', async () => {
  const { fold } = clockwork(() => app);
  const loud = await app.dept('Loud');
  const mine = await app.person('orgManager', loud);
  const product = await makeProduct(app, app.root, 'LOUD');
  const names = Array.from({ length: 120 }, (_, at) => `LOUD${String(at).padStart(4, '0')}`);
  await makeDevices(app, loud, product, names, '1.0');
  await fold();
  const say = (which: string[], version: string) =>
    app.context.unscoped((db) => db.updateTable('device').set({ firmware: version }).where('sn', 'in', which).execute());
  const rows = async (table: 'stats_now' | 'stats_day') =>
    (
      await app.context.unscoped((db) =>
        db.selectFrom(table).select(['detail', 'n']).where('dept_path', '=', loud.path).where('measure', '=', 'firmware').execute(),
      )
    ).map((row) => [row.detail, Number(row.n)]);
  app.clock.now = new Date(app.clock.now.getTime() + 24 * 3_600_000);
  const [first = ''] = names;
  for (let at = 0; at < 20; at += 1) {
    await say([first], `a${at}`);
    await fold();
  }
  expect((await rows('stats_now')).sort()).toEqual([
    ['1.0', 119],
    ['a19', 1],
  ]);
  expect(await rows('stats_day')).toHaveLength(3);

  app.clock.now = new Date(app.clock.now.getTime() + 24 * 3_600_000);
  const [real, noise] = [names.slice(1, 40), names.slice(40)];
  for (const [at, sn] of noise.entries()) await say([sn], `b${at}`);
  await fold();
  // What many go to stands by itself, though it came last.
  await say(real, '2.0');
  await fold();
  const today = (await rows('stats_day')).filter(([detail]) => detail === '' || /^(b|2)/.test(String(detail)));
  expect(today.length).toBeLessThanOrEqual(51);
  expect(today).toContainEqual(['2.0', 39]);
  expect(today.find(([detail]) => detail === '')?.[1]).toBeGreaterThan(0);

  const { days, series, others } = await mine.call(complianceCalls.history, { productId: product });
  expect(series).toHaveLength(8);
  expect(series.slice(0, 2).map((one) => [one.version, one.counts.slice(-3)])).toEqual([
    ['1.0', [120, 119, 0]],
    ['2.0', [0, 0, 39]],
  ]);
  // All of them together are as many as there are terminals, on every day.
  for (const at of [1, 2]) {
    const day = days.length - at;
    expect(series.reduce((sum, one) => sum + (one.counts[day] ?? 0), others[day] ?? 0)).toBe(120);
  }
});

test('more versions than a day keeps, which come and go on it, are said of no day before', async () => {
  const { fold } = clockwork(() => app);
  const dept = await app.dept('Many versions');
  const mine = await app.person('orgManager', dept);
  const product = await makeProduct(app, app.root, 'MANY');
  await makeDevices(app, dept, product, ['OLD00001'], '0.1');
  // One that leaves on the same day, and was there before.
  await makeDevices(app, dept, product, ['OLD00002'], '0.2');
  await fold();
  app.clock.now = new Date(app.clock.now.getTime() + 2 * 86_400_000);
  for (let at = 0; at < 60; at += 1) {
    const name = String(at).padStart(2, '0');
    await makeDevices(app, dept, product, [`NEW000${name}`], `v${name}`);
  }
  await fold();
  const update = (to: string, which: string) =>
    app.context.pools.owner.query(`update device set firmware = $1 where sn like $2`, [to, which]);
  await update('9.0', 'NEW%');
  await update('0.1', 'OLD00002');
  await fold();
  const { days, series, others } = await mine.call(complianceCalls.history, { productId: product });
  expect(days).toHaveLength(3);
  expect(Object.fromEntries(series.map(({ version, counts }) => [version, counts]))).toEqual({
    '9.0': [0, 0, 60],
    '0.1': [1, 1, 2],
    '0.2': [1, 1, 0],
  });
  expect(others).toEqual([0, 0, 0]);
  const left = await app.context.pools.owner.query(
    `select count(*)::int as n from stats_day where measure = 'firmware' and product_id = $1 and detail = ''`,
    [product],
  );
  expect(left.rows[0].n).toBe(0);
});
