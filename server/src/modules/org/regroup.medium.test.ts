import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { setManaged } from '../access/api.ts';
import type { DeptAt } from './add-dept.ts';
import { keepsItsPath, ownedTables, rewritePaths } from './rewrite-paths.ts';

let app: TestApp;
let admin: Client;
let region: DeptAt;
let other: DeptAt;
let product = 0;

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  product = await makeProduct(app, app.root, 'MOVE-1');
  region = await unit('Region A', { id: 2, path: '1.2.' });
  other = await unit('Region B', { id: 2, path: '1.2.' });
});
afterAll(() => app.stop());

async function unit(name: string, below: DeptAt): Promise<DeptAt> {
  const { id } = await admin.call(deptCalls.add, { parentId: below.id, name });
  return { id, path: `${below.path}${id}.` };
}
const fault = async (asked: Promise<{ code: number; body: { fault?: string } | null }>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
const workOf = (id: number | null) => admin.call(backgroundJobCalls.detail, { id: id ?? 0 });
const pathOf = (id: number) =>
  app.context.unscoped(
    async (db) => (await db.selectFrom('org_dept').select('dept_path').where('id', '=', id).executeTakeFirstOrThrow()).dept_path,
  );

test('every table with a path follows its unit, or stands in a list with its reason', async () => {
  const { rows } = await app.context.unscoped((db) =>
    sql<{ name: string }>`
      select distinct c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'dept_path'`.execute(db),
  );
  const follow = (await app.context.unscoped(ownedTables)).map((one) => one.name);
  expect([...follow, ...Object.keys(keepsItsPath)].sort()).toEqual(rows.map((row) => row.name).sort());
  // Whoever adds a table decides here whether it is history.
  expect(follow).toContain('device');
  expect(follow).not.toContain('state_change');
});

test('a move takes everything along in one piece; sessions, counters and pages follow, history stays', async () => {
  const bank = await unit('Moving bank', region);
  const branch = await unit('Moving branch', bank);
  await makeDevices(app, branch, product, ['MOVE0001', 'MOVE0002']);
  await app.context.unscoped((db) =>
    sql`insert into device_app (device_id, package_name, version_name, dept_path)
      select id, 'com.moving.app', '1', dept_path from device where sn in ('MOVE0001', 'MOVE0002')`.execute(db),
  );
  const here = await app.person('orgManager', branch, 'manager');
  const before = await here.call(deviceCalls.page, {});
  expect(before.total).toBe(2);
  const preview = await admin.call(deptCalls.move, { id: bank.id, parentId: other.id, preview: true });
  expect(preview).toEqual({ units: 1, people: 1, devices: 2, tasks: 0, work: null });
  const { work } = await admin.call(deptCalls.move, { id: bank.id, parentId: other.id });
  expect(await pathOf(branch.id)).toBe(branch.path);
  await app.runJobs();
  expect(await workOf(work)).toMatchObject({ state: 'done' });
  expect(await pathOf(branch.id)).toBe(`${other.path}${bank.id}.${branch.id}.`);
  expect((await here.call(deviceCalls.page, {})).total).toBe(2);
  expect((await here.call(deviceCalls.counts, {})).total).toBe(2);
  expect((await here.call(deviceCalls.page, { criteria: { app: 'com.moving.app' } })).total).toBe(2);
  expect(await here.call(deviceCalls.apps, { text: 'moving' })).toHaveLength(1);
  const regional = await app.person('regionMaintainer', other);
  expect((await regional.call(deptCalls.detail, { id: bank.id })).impact).toMatchObject({ units: 1, people: 1, devices: 2 });
  expect((await (await app.person('regionMaintainer', region)).send(deptCalls.detail, { id: bank.id })).code).toBe(404);
  const { rows } = await app.context.unscoped((db) =>
    sql<{ n: number }>`select count(*)::int as n from state_change where dept_path like ${`${branch.path}%`}`.execute(db),
  );
  expect(rows[0]?.n).toBeGreaterThan(0);
});

test('rows that were written under the old path meanwhile are swept after it', async () => {
  const bank = await unit('Swept bank', region);
  await admin.call(deptCalls.move, { id: bank.id, parentId: other.id });
  await app.runJobs();
  await makeDevices(app, bank, product, ['SWEPT0001']);
  await app.context.unscoped((db) => rewritePaths(db, { from: bank.path, to: `${other.path}${bank.id}.`, now: app.clock.now }));
  const regional = await app.person('regionMaintainer', other);
  expect((await regional.call(deviceCalls.page, { criteria: { text: 'SWEPT0001' } })).total).toBe(1);
});

test('a merge lets nobody manage the target whom its maker couldn’t let', async () => {
  const [bank, into] = [await unit('Merged away', region), await unit('Merged into', region)];
  const [equal, above] = [await app.person('orgManager', region), await app.person('platformAdmin', region)];
  await app.context.unscoped(async (db) => {
    for (const one of [equal, above]) await setManaged(db, one.userId, [bank.id], null);
  });
  const regional = await app.person('regionMaintainer', region);
  await app.context.unscoped((db) =>
    sql`update access_role set platforms = '{centre,manager}' where code = 'regionMaintainer'`.execute(db),
  );
  await regional.call(deptCalls.merge, { id: bank.id, into: into.id });
  await app.runJobs();
  const managed = await app.context.unscoped((db) =>
    db.selectFrom('access_managed_dept').select(['user_id', 'granted_by']).where('dept_id', 'in', [bank.id, into.id]).execute(),
  );
  expect(managed).toEqual([{ user_id: equal.userId, granted_by: regional.userId }]);
});

test('what would break the tree is refused: below itself, across product lines, roots, one’s own unit, names, foreign ids', async () => {
  const bank = await unit('Firm bank', region);
  const branch = await unit('Firm branch', bank);
  const second = await admin.call(deptCalls.add, { parentId: 1, name: 'Other line' });
  const far = await unit('Far region', { id: second.id, path: `1.${second.id}.` });
  const move = (id: number, parentId: number, client = admin) => fault(client.send(deptCalls.move, { id, parentId }));
  const merge = (id: number, into: number) => fault(admin.send(deptCalls.merge, { id, into }));
  expect(await move(bank.id, branch.id)).toBe('DEPT_CYCLE');
  expect(await move(bank.id, bank.id)).toBe('DEPT_CYCLE');
  expect(await merge(bank.id, branch.id)).toBe('DEPT_CYCLE');
  expect(await move(bank.id, far.id)).toBe('DEPT_LINE');
  expect(await move(bank.id, 2)).toBe('DEPT_PLACE');
  expect(await move(bank.id, region.id)).toBe('DEPT_PLACE');
  expect(await move(region.id, other.id)).toBe('DEPT_PLACE');
  expect(await merge(bank.id, other.id)).toBe('DEPT_PLACE');
  expect(await move(1, region.id)).toBe('DEPT_OWN');
  expect(await move(999_999, region.id)).toBe('NOT_FOUND');
  const twin = await unit('FIRM BANK', other);
  expect(await move(bank.id, other.id)).toBe('DEPT_NAME_TAKEN');
  const regional = await app.person('regionMaintainer', region);
  expect(await move(bank.id, other.id, regional)).toBe('NOT_FOUND');
  expect(await move(twin.id, region.id, regional)).toBe('NOT_FOUND');
});

test('two moves at once that would make a circle: one is done, the other refused', async () => {
  const [one, two] = [await unit('Circle one', region), await unit('Circle two', region)];
  const works = await Promise.all([
    admin.call(deptCalls.move, { id: one.id, parentId: two.id }),
    admin.call(deptCalls.move, { id: two.id, parentId: one.id }),
  ]);
  await app.runJobs();
  const found = await Promise.all(works.map(({ work }) => workOf(work)));
  expect(found.map((work) => work.state).sort()).toEqual(['done', 'failed']);
  expect(found.find((work) => work.state === 'failed')?.reason).toBe('DEPT_CYCLE');
});

test('killed in the middle nothing has moved, and begun anew it is whole', async () => {
  const bank = await unit('Killed bank', region);
  await makeDevices(app, bank, product, ['KILLED01', 'KILLED02']);
  await admin.call(deptCalls.move, { id: bank.id, parentId: other.id });
  const cut = app.context.unscoped(async (db) => {
    await rewritePaths(db, { from: bank.path, to: `${other.path}${bank.id}.`, now: app.clock.now });
    // The connection goes away before the commit, as in a power cut.
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
  });
  await expect(cut).rejects.toThrow();
  expect(await pathOf(bank.id)).toBe(bank.path);
  const regional = await app.person('regionMaintainer', region);
  expect((await regional.call(deviceCalls.page, { criteria: { text: 'KILLED' } })).total).toBe(2);
  await app.runJobs();
  expect(await pathOf(bank.id)).toBe(`${other.path}${bank.id}.`);
});

test('a merge under a running task: everything goes over, the task goes on, the source is closed and readable', async () => {
  const [source, target] = [await unit('Small bank', region), await unit('Big bank', other)];
  const child = await unit('Small branch', source);
  const [device = 0] = await makeDevices(app, source, product, ['MERGE0001']);
  await makeDevices(app, child, product, ['MERGE0002']);
  const manager = await app.person('orgManager', source, 'manager');
  const owner = await app.person('orgManager', source);
  const packageId = await makePackage(app, owner, source, product, '7.0');
  const task = await owner.call(taskCalls.add, { name: 'Merged task', packageId, scope: { releaseScope: '0' } });
  await app.context.unscoped(async (db) => {
    await sql`update rollout_task set state = 'running', gathered_at = now() where id = ${task.id}`.execute(db);
    await sql`insert into rollout_result (task_id, kind, device_id, sn, ring, state, next_at, tries_left, dept_path) values (${task.id}, 'firmware', ${device}, 'MERGE0001', 1, '2', now(), 0, ${source.path})`.execute(
      db,
    );
  });
  const { work, ...impact } = await admin.call(deptCalls.merge, { id: source.id, into: target.id });
  expect(impact).toEqual({ units: 1, people: 2, devices: 2, tasks: 1 });
  await app.runJobs();
  expect(await workOf(work)).toMatchObject({ state: 'done' });
  const shown = await admin.call(deptCalls.detail, { id: source.id });
  expect(shown).toMatchObject({ state: 'closed', mergedInto: { id: target.id }, impact: { people: 0, devices: 0 } });
  expect((await admin.call(deptCalls.detail, { id: child.id })).parentId).toBe(target.id);
  const big = await app.person('orgManager', target);
  expect((await big.call(deviceCalls.page, { criteria: { text: 'MERGE' } })).total).toBe(2);
  expect((await big.call(taskCalls.detail, { id: task.id })).state).toBe('running');
  expect((await big.call(taskDeviceCalls.page, { criteria: { taskId: task.id } })).total).toBe(1);
  expect((await manager.send(deviceCalls.page, {}, { headers: { 'accept-deptid': String(target.id) } })).code).toBe(200);
  expect(await fault(admin.send(deptCalls.merge, { id: source.id, into: target.id }))).toBe('DEPT_SHUT');
});

test('a notice that waits for its time reaches nobody by a merge whom it wasn’t for', async () => {
  const [source, target] = [await unit('Kiosk bank', region), await unit('Main bank', other)];
  const [ofSource, ofTarget] = [await app.person('orgManager', source, 'manager'), await app.person('orgManager', target, 'manager')];
  const startsAt = new Date(app.clock.now.getTime() + 86_400_000).toISOString();
  const scheduled = async (who: Client, more: object) => {
    const { id } = await who.call(noticeCalls.add, { title: 'Audit on Friday', body: 'Be there', startsAt, ...more });
    return (await who.call(noticeCalls.schedule, { id })).id;
  };
  const [all, named] = [await scheduled(ofSource, {}), await scheduled(ofSource, { recipients: 'users', userIds: [ofSource.userId] })];
  const own = await scheduled(ofTarget, {});
  await admin.call(deptCalls.merge, { id: source.id, into: target.id });
  await app.runJobs();
  const stateOf = async (id: number) => (await ofTarget.call(noticeCalls.detail, { id })).state;
  expect([await stateOf(all), await stateOf(named), await stateOf(own)]).toEqual(['draft', 'scheduled', 'scheduled']);
  const { content } = await ofTarget.call(messageCalls.page, { criteria: { text: 'Audit on Friday' } });
  expect(content.map(({ title }) => title)).toEqual(['Notice “Audit on Friday” is a draft again']);
});

test('disabling a unit pauses its running tasks, takes back those that would start, and leaves those of others alone', async () => {
  const [bank, beside] = [await unit('Pausing bank', region), await unit('Going bank', region)];
  const tasks: number[] = [];
  for (const [at, state] of [
    [bank, 'running'],
    [bank, 'scheduled'],
    [beside, 'running'],
    [bank, 'paused'],
    [bank, 'halted'],
    [bank, 'finished'],
  ] as const) {
    const owner = await app.person('orgManager', at);
    const packageId = await makePackage(app, owner, at, product, `8.${tasks.length}`);
    const task = await owner.call(taskCalls.add, { name: `Paused ${tasks.length}`, packageId, scope: { releaseScope: '0' } });
    tasks.push(task.id);
    await app.context.unscoped((db) =>
      db.updateTable('rollout_task').set({ state, gathered_at: new Date() }).where('id', '=', task.id).execute(),
    );
  }
  expect((await admin.call(deptCalls.detail, { id: bank.id })).impact.tasks).toBe(4);
  expect((await admin.call(deptCalls.disable, { id: bank.id, preview: true })).tasks).toBe(2);
  await admin.call(deptCalls.disable, { id: bank.id });
  const { rows } = await app.context.unscoped((db) =>
    sql<{ state: string }>`select state from rollout_task where id = any(${tasks}::bigint[]) order by id`.execute(db),
  );
  expect(rows.map((row) => row.state)).toEqual(['paused', 'ready', 'running', 'paused', 'halted', 'finished']);
});
