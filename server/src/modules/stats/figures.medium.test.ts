import { Attention } from '@mooring/contract/device/attention';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { homeCalls, statisticCalls } from '@mooring/contract/stats/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { figuresByDay, figuresByHour, figuresNow } from './figures.ts';
import { clockwork, counted } from './stats.factory.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let app: TestApp;
let admin: Client;
let region: DeptAt;
let other: DeptAt;
let bank: DeptAt;
let branch: DeptAt;
let product = 0;
let second = 0;
const { fold, sample, prune, look } = clockwork(() => app);

beforeAll(async () => {
  app = await testApp();
  // The middle of an hour and of a day, so that no step of the test crosses either.
  app.clock.now = new Date(`${app.clock.now.toISOString().slice(0, 10)}T12:30:00Z`);
  admin = await app.person('platformAdmin', app.root);
  product = await makeProduct(app, app.root, 'STAT-1');
  second = await makeProduct(app, app.root, 'STAT-2');
  region = await app.dept('Stat region');
  other = await app.dept('Other region');
  bank = await app.dept('Stat bank', region);
  branch = await app.dept('Stat branch', bank);
  await makeDevices(app, bank, product, ['STAT-B1', 'STAT-B2', 'STAT-B3'], '1.0');
  await makeDevices(app, branch, second, ['STAT-C1', 'STAT-C2'], '1.9.0');
  await makeDevices(app, other, product, ['STAT-D1'], '2.0');
});
afterAll(() => app.stop());

const measures = ['status', 'firmware', ...Attention.options];
const now = async (path: string) => {
  const found = await app.context.readOnly((db) => figuresNow(db, { path }, measures));
  const key = (one: { measure: string; detail: string; productId: number }) => `${one.measure} ${one.detail} ${one.productId}`;
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
};
/** At every level: what is read is what a count of the rows says. */
async function agree(): Promise<void> {
  for (const path of ['1.', '1.2.', region.path, other.path, bank.path, branch.path]) {
    const key = (one: { measure: string; detail: string; productId: number }) => `${one.measure} ${one.detail} ${one.productId}`;
    expect(await now(path), path).toEqual((await counted(app, path)).sort((a, b) => (key(a) < key(b) ? -1 : 1)));
  }
}
const idsOf = (...sns: string[]) =>
  app.context.unscoped(async (db) =>
    (await db.selectFrom('device').select('id').where('sn', 'in', sns).orderBy('sn').execute()).map((one) => one.id),
  );
const pathOf = (id: number) =>
  app.context.unscoped(
    async (db) => (await db.selectFrom('org_dept').select('dept_path').where('id', '=', id).executeTakeFirstOrThrow()).dept_path,
  );

test('figures agree with a plain count before they are added up, after, and when that runs again', async () => {
  await agree();
  await fold();
  await agree();
  await fold();
  await agree();
  const left = await app.context.unscoped((db) => sql`select from stats_change`.execute(db));
  expect(left.rows).toHaveLength(0);
});

test('two that add up at once make the same sums', async () => {
  const [first = 0] = await idsOf('STAT-B1');
  await admin.call(deviceCalls.disable, { of: { ids: [first] } });
  await Promise.all([fold(), fold(), fold()]);
  await fold();
  await agree();
  await admin.call(deviceCalls.enable, { of: { ids: [first] } });
});

test('they follow a terminal that moves, is disabled, is deleted and comes back', async () => {
  const [b1 = 0, b2 = 0] = await idsOf('STAT-B1', 'STAT-B2');
  await admin.call(deviceCalls.move, { of: { ids: [b1] }, deptId: branch.id });
  await agree();
  await fold();
  await admin.call(deviceCalls.disable, { of: { ids: [b2] } });
  await admin.call(deviceCalls.delete, { of: { ids: [b2] } });
  await agree();
  await fold();
  await admin.call(deviceCalls.restore, { id: b2 });
  await admin.call(deviceCalls.enable, { of: { ids: [b2] } });
  await fold();
  await agree();
  await admin.call(deviceCalls.move, { of: { ids: [b1] }, deptId: bank.id });
});

const silent = async (sn: string, days: number) =>
  app.context.unscoped((db) =>
    sql`with d as (update device set status = '2' where sn = ${sn} returning id)
      update device_presence p set online = false, seen_at = ${new Date(app.clock.now.getTime() - days * DAY)} from d where p.device_id = d.id`.execute(
      db,
    ),
  );
const health = (sn: string, battery: number, free: number) =>
  app.context.unscoped((db) =>
    sql`update device_presence p set battery = ${battery}, storage_total = 1000, storage_free = ${free} from device d where d.id = p.device_id and d.sn = ${sn}`.execute(
      db,
    ),
  );
const listed = async (criteria: object) =>
  (await admin.call(deviceCalls.page, { criteria, page: { sort: 'sn', order: 'asc', size: 50 } })).content.map((one) => one.sn);

test('what a product says of battery, storage and silence holds for its terminals, and for no others', async () => {
  const say = (battery: number | null, storage: number | null, hours: number | null) =>
    app.context.unscoped((db) =>
      sql`update product_product set low_battery_percent = ${battery}, storage_full_percent = ${storage}, silent_hours = ${hours} where id = ${second}`.execute(
        db,
      ),
    );
  await health('STAT-B3', 30, 200);
  await health('STAT-C2', 30, 220);
  await look();
  expect(await listed({ attention: { in: ['battery', 'storage'] } })).toEqual([]);
  await say(31, 79, 1);
  await look();
  expect(await listed({ attention: 'battery' })).toEqual(['STAT-C2']);
  expect(await listed({ attention: 'storage' })).toEqual([]);
  await health('STAT-C2', 31, 209);
  await look();
  expect(await listed({ attention: { in: ['battery', 'storage'] } })).toEqual(['STAT-C2']);
  await say(null, null, null);
  await look();
  expect(await listed({ attention: { in: ['battery', 'storage'] } })).toEqual([]);
  await agree();
});

test('silent, low battery and full storage: each figure is its list, and goes when the cause goes', async () => {
  await silent('STAT-B2', 8);
  await silent('STAT-C1', 6);
  await health('STAT-B3', 19, 101);
  await health('STAT-C2', 20, 99);
  await Promise.all([look(), look()]);
  await look();
  await agree();
  expect(await listed({ attention: 'silent' })).toEqual(['STAT-B2']);
  expect(await listed({ attention: 'battery' })).toEqual(['STAT-B3']);
  expect(await listed({ attention: { in: ['silent', 'storage'] } })).toEqual(['STAT-B2', 'STAT-C2']);
  expect((await admin.call(homeCalls.fleet, {})).attention).toEqual({ silent: 1, battery: 1, storage: 1 });
  expect((await admin.call(homeCalls.fleet, { productId: second })).attention).toEqual({ silent: 0, battery: 0, storage: 1 });
  await health('STAT-B3', 90, 101);
  await look();
  expect(await listed({ attention: 'battery' })).toEqual([]);
  const [c2 = 0] = await idsOf('STAT-C2');
  await admin.call(deviceCalls.move, { of: { ids: [c2] }, deptId: other.id });
  await agree();
  expect((await (await app.person('regionMaintainer', other)).call(homeCalls.fleet, {})).attention.storage).toBe(1);
  await admin.call(deviceCalls.disable, { of: { ids: [c2] } });
  expect((await admin.call(homeCalls.fleet, {})).attention.storage).toBe(0);
  await admin.call(deviceCalls.enable, { of: { ids: [c2] } });
  await admin.call(deviceCalls.move, { of: { ids: [c2] }, deptId: branch.id });
  await agree();
});

test('behind is below the newest published full package of its product; the figure is its list', async () => {
  expect((await admin.call(homeCalls.fleet, {})).behind).toBe(0);
  await makePackage(app, admin, app.root, second, '1.10.0');
  await makePackage(app, admin, app.root, product, '2.0');
  await makePackage(app, admin, app.root, product, '1.5');
  expect((await admin.call(homeCalls.fleet, {})).behind).toBe(5);
  expect(await listed({ behind: true })).toEqual(['STAT-B1', 'STAT-B2', 'STAT-B3', 'STAT-C1', 'STAT-C2']);
  const { behind, products } = await admin.call(homeCalls.versions, {});
  expect(behind).toBe(5);
  expect(products.map(({ productId, newest, behind: late, total }) => ({ productId, newest, late, total }))).toEqual([
    { productId: product, newest: '2.0', late: 3, total: 4 },
    { productId: second, newest: '1.10.0', late: 2, total: 2 },
  ]);
  expect((await admin.call(homeCalls.versions, { deptId: other.id })).behind).toBe(0);
});

const onlineAt = (path: string) =>
  app.context.readOnly((db) =>
    figuresByHour(
      db,
      { path },
      { measures: ['online'], from: new Date(app.clock.now.getTime() - DAY), to: new Date(app.clock.now.getTime() + HOUR) },
    ),
  );

test('the sample of an hour is written once, whoever comes again; nothing known is no zero', async () => {
  await Promise.all([sample(), sample()]);
  await sample();
  const here = await counted(app, region.path);
  const online = here.filter((one) => one.measure === 'status' && one.detail === '3').reduce((sum, one) => sum + one.n, 0);
  expect((await onlineAt(region.path)).map((one) => one.n)).toEqual([online]);
  const { points, now: live } = await admin.call(homeCalls.online, { days: '1' });
  expect(points).toHaveLength(24);
  expect(points.at(-1)).toMatchObject({ online: live, before: null });
  expect(points.at(-2)).toMatchObject({ online: null });
  app.clock.now = new Date(app.clock.now.getTime() + DAY);
  await sample();
  const next = await admin.call(homeCalls.online, { days: '1' });
  expect(next.points.at(-1)).toMatchObject({ online: live, before: live });
  const month = await admin.call(homeCalls.online, { days: '30' });
  expect(month.points.slice(-2).map((one) => one.online)).toEqual([live, live]);
  expect(month.average).toBe(live);
});

test('activations by day and month are what the rows say; a day without any is zero', async () => {
  const today = app.clock.now.toISOString().slice(0, 10);
  const before = new Date(app.clock.now.getTime() - DAY).toISOString().slice(0, 10);
  await makeDevices(app, bank, product, ['STAT-E1'], '2.0');
  const asked = { measure: 'activated', summaryDate: { greaterThanOrEqual: before, lessThanOrEqual: today } } as const;
  const daily = await admin.call(statisticCalls.trend, asked);
  expect(daily.entries).toEqual([
    { summaryDate: before, totalCnt: 6, failedCnt: 0 },
    { summaryDate: today, totalCnt: 1, failedCnt: 0 },
  ]);
  expect(daily).toMatchObject({ totalSummary: { cnt: 7 }, max: { summaryDate: before, cnt: 6 } });
  await fold();
  expect(await admin.call(statisticCalls.trend, asked)).toEqual(daily);
  const monthly = await admin.call(statisticCalls.trend, { ...asked, tendencyType: '2' });
  expect(monthly.totalSummary.cnt).toBe(7);
  expect(monthly.entries.at(-1)?.summaryDate).toBe(today.slice(0, 7));
  expect((await admin.call(statisticCalls.trend, { ...asked, summaryDate: {} })).totalSummary.cnt).toBe(7);
  app.clock.now = new Date(app.clock.now.getTime() + DAY);
  const later = app.clock.now.toISOString().slice(0, 10);
  expect((await admin.call(statisticCalls.trend, { ...asked, summaryDate: { greaterThanOrEqual: later } })).entries).toEqual([
    { summaryDate: later, totalCnt: 0, failedCnt: 0 },
  ]);
});

const days = (path: string) =>
  app.context.readOnly(async (db) => {
    const found = await figuresByDay(db, { path }, { measures: ['activated'], from: '2000-01-01', to: '2100-01-01' });
    return found.reduce((sum, one) => sum + one.n, 0);
  });

test('a unit that moves takes its history along; those above keep what was theirs', async () => {
  const above = [await days('1.'), await days(region.path), await days(other.path)];
  const own = await days(bank.path);
  await admin.call(deptCalls.move, { id: bank.id, parentId: other.id });
  await app.runJobs();
  bank = { id: bank.id, path: await pathOf(bank.id) };
  branch = { id: branch.id, path: await pathOf(branch.id) };
  await agree();
  await fold();
  await agree();
  expect(await days(bank.path)).toBe(own);
  expect([await days('1.'), await days(region.path), await days(other.path)]).toEqual(above);
  await admin.call(deptCalls.move, { id: bank.id, parentId: region.id });
  await app.runJobs();
  bank = { id: bank.id, path: await pathOf(bank.id) };
  branch = { id: branch.id, path: await pathOf(branch.id) };
  await fold();
  await agree();
  expect(await days(bank.path)).toBe(own);
});

test('merged into the unit above, nothing counts twice; merged beside, both are one', async () => {
  const whole = await days(bank.path);
  await admin.call(deptCalls.merge, { id: branch.id, into: bank.id });
  await app.runJobs();
  await fold();
  expect(await days(bank.path)).toBe(whole);
  branch = bank;
  await agree();
  const beside = await app.dept('Beside', region);
  await makeDevices(app, beside, product, ['STAT-YOUNG'], '2.0');
  await fold();
  await admin.call(deptCalls.merge, { id: beside.id, into: bank.id });
  await app.runJobs();
  await fold();
  await agree();
  expect(await days(bank.path)).toBe(whole + 1);
});

test('an organisation sees its own subtree alone, and asks for nobody else’s', async () => {
  const mine = await app.person('orgManager', other);
  const { total } = await mine.call(homeCalls.fleet, {});
  expect(total).toBe(1);
  expect((await mine.call(homeCalls.versions, {})).products.map((one) => one.total)).toEqual([1]);
  for (const deptId of [bank.id, 2, 999_999])
    for (const call of [homeCalls.fleet, homeCalls.online, homeCalls.failures, homeCalls.versions, homeCalls.releases])
      expect((await mine.send(call, { deptId })).code, `${call.path} ${deptId}`).toBe(404);
  expect((await mine.send(statisticCalls.trend, { measure: 'activated', deptId: bank.id })).code).toBe(404);
  const rows = await Promise.all(
    (['stats_now', 'stats_hour', 'stats_day', 'stats_change', 'device_attention'] as const).map((table) =>
      app.context.unscoped((db) =>
        sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where dept_path like ${`${region.path}%`}`.execute(db),
      ),
    ),
  );
  expect(rows.slice(0, 3).every((one) => (one.rows[0]?.n ?? 0) > 0)).toBe(true);
});

test('what is over is thrown away, and a second run finds nothing', async () => {
  app.clock.now = new Date(app.clock.now.getTime() + 9 * DAY);
  await fold();
  const before = await days('1.');
  await prune();
  await prune();
  expect(await onlineAt('1.')).toEqual([]);
  const hours = await app.context.unscoped((db) => sql`select from stats_hour`.execute(db));
  expect(hours.rows).toHaveLength(0);
  expect(await days('1.')).toBe(before);
  await agree();
});

test('an average of the hours before there were any terminals isn’t told beside those that are online now', async () => {
  const fresh = await app.dept('Fresh');
  await sample();
  await makeDevices(app, fresh, product, ['STAT-AVG1']);
  const young = await admin.call(homeCalls.online, { days: '1', deptId: fresh.id });
  expect([young.now, young.average]).toEqual([1, null]);
  app.clock.now = new Date(app.clock.now.getTime() + DAY);
  await sample();
  expect((await admin.call(homeCalls.online, { days: '1', deptId: fresh.id })).average).toBeGreaterThan(0);
});

test('terminals that are new are said to be still looked at, until a walk has come past them; elsewhere nothing is said', async () => {
  const fresh = await app.dept('New fleet');
  const looking = async (deptId: number) => (await admin.call(homeCalls.fleet, { deptId })).looking;
  await look();
  expect([await looking(app.root.id), await looking(fresh.id)]).toEqual([false, false]);
  await makeDevices(app, fresh, product, ['NEWF-01', 'NEWF-02']);
  expect([await looking(app.root.id), await looking(fresh.id), await looking(branch.id)]).toEqual([true, true, false]);
  await look();
  expect([await looking(app.root.id), await looking(fresh.id)]).toEqual([false, false]);
});
