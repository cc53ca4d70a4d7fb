import { deviceCalls } from '@mooring/contract/device/calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { FOLLOW_DEVICES } from './follow-devices.ts';
import { statesOf } from './match.ts';
import { releasing, rolloutsOf } from './release.factory.ts';
import { ringBounds } from './ring-of.ts';
import { aimOf } from './select-targets.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, release, offers, subscribe, tally, stateOf, detail } = releasing(
  () => app,
  () => admin,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

const codeOf = async (asked: ReturnType<Client['send']>) => (await asked).code;
const ringsOf = (id: number) =>
  app.context
    .unscoped((db) => sql<{ sn: string; ring: number }>`select sn, ring from rollout_result where task_id = ${id}`.execute(db))
    .then((found) => Object.fromEntries(found.rows.map((row) => [row.sn, row.ring])));
const states = async (id: number) => (await detail(id)).rings.map((ring) => ring.state);
const succeed = async (id: number) => {
  for (const offer of await offers(id)) await subscribe('result', offer, { outcome: 'success' });
  await settle();
};
const pass = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};

test('a terminal belongs to the first ring that names it; of the others a share goes before the rest, as the preview said', async () => {
  const mine = sns(40);
  const [named = '', tagged = '', below = ''] = mine;
  await makeDevices(
    app,
    bank,
    productId,
    mine.filter((sn) => sn !== below),
  );
  await makeDevices(app, branch, productId, [below]);
  await app.context.unscoped((db) => sql`update device set tags = '{pilot}' where sn in (${named}, ${tagged})`.execute(db));
  const delivery = {
    rings: [{ sns: [named] }, { tags: ['pilot'], waitForPerson: true }, { deptIds: [branch.id] }, { share: 30 }, { share: 100 }],
  };
  const scope = { releaseScope: '2' as const, sns: mine };
  const preview = await admin.call(taskCalls.preview, { packageId, scope, delivery });
  const id = await release(mine, delivery);
  const rings = await ringsOf(id);
  expect([rings[named], rings[tagged], rings[below]]).toEqual([1, 2, 3]);
  const counts = [1, 2, 3, 4, 5].map((ring) => Object.values(rings).filter((one) => one === ring).length);
  expect(preview.rings).toEqual(counts);
  expect(counts.slice(0, 3)).toEqual([1, 1, 1]);
  expect(counts[3]).toBeGreaterThan(2);
  expect(counts[4]).toBeGreaterThan(10);
});

test('shares are exact counts of those that are there, a second release of the same terminals has the same rings, and so has who is asked to agree', async () => {
  const mine = sns(8);
  await makeDevices(app, bank, productId, mine);
  const delivery = { rings: [{ share: 25 }, { share: 50 }, { share: 100 }] };
  const scope = { releaseScope: '2' as const, sns: mine };
  expect((await admin.call(taskCalls.preview, { packageId, scope, delivery })).rings).toEqual([2, 2, 4]);
  const id = await release(mine, delivery);
  const rings = await ringsOf(id);
  const sizes = (of: Record<string, number>) => [1, 2, 3].map((ring) => Object.values(of).filter((one) => one === ring).length);
  expect(sizes(rings)).toEqual([2, 2, 4]);
  expect(await states(id)).toEqual(['open', 'later', 'later']);
  expect(await ringsOf(await release(mine, delivery))).toEqual(rings);
});

test('terminals that leave while shares are drawn leave no ring without its bound', async () => {
  const mine = sns(10);
  await makeDevices(app, bank, productId, mine);
  const rings = [{ share: 10 }, { share: 95 }, { share: 100 }];
  const [kind] = rolloutsOf(app).kinds;
  if (!kind) throw new Error('no kind');
  const leave = () =>
    app.context.unscoped((db) => sql`update device set deleted_at = now() where sn = any(${mine.slice(0, 5)}::text[])`.execute(db));
  const bounds = await app.context.unscoped(async (db) => {
    const of = { package_id: packageId, product_id: null, content: null, dept_path: '1.' };
    const scope = { releaseScope: '2' as const, sns: mine };
    const aim = await aimOf(db, kind, { ...of, scope, delivery: { rings, allowDowngrade: false } as never }, statesOf('1'));
    const between = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if ('n' in (result.rows[0] ?? {})) await leave();
        return result;
      },
    });
    return ringBounds(between as typeof db, aim, rings as never, sql`true`);
  });
  expect(bounds).toHaveLength(2);
  for (const bound of bounds ?? []) expect(bound).toMatch(/^-?\d+$/);
});

test('a ring that nobody is in says so, and is counted as such before it starts', async () => {
  const mine = sns(2);
  await makeDevices(app, bank, productId, mine);
  const delivery = { rings: [{ tags: ['nobody'] }, { share: 100 }] };
  const scope = { releaseScope: '2' as const, sns: mine };
  expect((await admin.call(taskCalls.preview, { packageId, scope, delivery })).rings).toEqual([0, 2]);
  expect(await states(await release(mine, delivery))).toEqual(['empty', 'open']);
});

test('a ring soaks, then waits for a person, who is told once and opens the next one', async () => {
  const mine = sns(4);
  await makeDevices(app, bank, productId, mine);
  const id = await release(mine, { rings: [{ sns: mine.slice(0, 2), soakMinutes: 60, waitForPerson: true }, { share: 100 }] });
  expect(await tally(id)).toEqual({ '1': 2, '2': 2 });
  await succeed(id);
  expect(await states(id)).toEqual(['soaking', 'later']);
  pass(61);
  await settle();
  await settle();
  expect(await states(id)).toEqual(['asking', 'later']);
  expect(await tally(id)).toEqual({ '1': 2, '3': 2 });
  await app.runJobs();
  const told = await admin.call(messageCalls.page, { criteria: {} });
  const asks = told.content.filter((one) => one.link === `/device/fota/taskmod/${id}`);
  expect(asks.map((one) => one.title)).toEqual(['Release “Release”: open the next ring?']);

  expect((await detail(id)).allowedActions).toContain('openRing');
  const opened = await admin.call(taskCalls.openRing, { id, ring: 2 });
  expect(opened.rings.map((ring) => [ring.state, ring.openedBy !== null])).toEqual([
    ['passed', false],
    ['open', true],
  ]);
  expect(opened.allowedActions).not.toContain('openRing');
  await settle();
  expect(await tally(id)).toEqual({ '2': 2, '3': 2 });
  await succeed(id);
  expect(await stateOf(id)).toBe('finished');
});

test('the next ring is opened once, only while the release runs, only by who may release, and only by its owner', async () => {
  const mine = sns(2);
  await makeDevices(app, bank, productId, mine);
  const id = await release(mine, { rings: [{ sns: mine.slice(0, 1) }, { share: 100 }] });
  const auditor = await app.person('auditor', app.root);
  expect(await codeOf(auditor.send(taskCalls.openRing, { id, ring: 2 }))).toBe(403);
  const manager = await app.person('orgManager', bank);
  expect(await codeOf(manager.send(taskCalls.openRing, { id, ring: 2 }))).toBe(404);
  expect(await codeOf(admin.send(taskCalls.openRing, { id, ring: 3 }))).toBe(409);
  await admin.call(taskCalls.pause, { id });
  expect(await codeOf(admin.send(taskCalls.openRing, { id, ring: 2 }))).toBe(409);
  await admin.call(taskCalls.recover, { id });
  await settle();
  const both = await Promise.allSettled([admin.call(taskCalls.openRing, { id, ring: 2 }), admin.call(taskCalls.openRing, { id, ring: 2 })]);
  expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a ring in which too many failed halts the release; the others never saw it, and going on stays', async () => {
  const mine = sns(12);
  await makeDevices(app, bank, productId, mine);
  const id = await release(mine, { retries: 0, rings: [{ sns: mine.slice(0, 10), haltAt: 30, openAt: 60 }, { share: 100 }] });
  const [first, second, third] = await offers(id);
  for (const offer of [first, second, third]) if (offer) await subscribe('result', offer, { outcome: 'failure', reason: 'installFailed' });
  await settle();
  expect(await stateOf(id)).toBe('halted');
  expect(await tally(id)).toMatchObject({ '1': 2, '4': 3 });
  await admin.call(taskCalls.recover, { id });
  await settle();
  expect(await stateOf(id)).toBe('running');
  await succeed(id);
  expect(await tally(id)).toEqual({ '2': 2, '3': 7, '4': 3 });
});

test('a ring that ended with too few successes waits for a person; below, an organisation sees its own terminals in it alone', async () => {
  const mine = sns(3);
  await makeDevices(app, bank, productId, mine);
  const id = await release(mine, { retries: 0, rings: [{ sns: mine.slice(0, 2), openAt: 90 }, { share: 100 }] });
  const [first, second] = await offers(id);
  if (!first || !second) throw new Error('no offers');
  await subscribe('result', first, { outcome: 'success' });
  await subscribe('result', second, { outcome: 'failure', reason: 'noSpace' });
  await settle();
  expect(await states(id)).toEqual(['short', 'later']);
  const manager = await app.person('orgManager', branch);
  const seen = await manager.call(taskCalls.detail, { id });
  expect(seen.rings.map((ring) => [ring.state, ring.total])).toEqual([
    ['open', 0],
    ['later', 0],
  ]);
  expect(JSON.stringify(seen.delivery)).not.toContain(mine[0]);
});

test('rings that name nobody of the sender’s reach, or that no shares lead to all, are refused', async () => {
  const scope = { releaseScope: '0' as const };
  const add = (rings: object[]) => codeOf(admin.send(taskCalls.add, { name: 'Rings', packageId, scope, delivery: { rings } }));
  expect(await add([{ share: 5 }, { share: 25 }])).toBe(400);
  expect(await add([{ share: 50 }, { share: 25 }, { share: 100 }])).toBe(400);
  expect(await add([{ tags: [] }, { share: 100 }])).toBe(400);
  expect(await add([{ deptIds: [999_999] }, { share: 100 }])).toBe(404);
});

const follow = async () => {
  await app.runJobs();
  await settle();
};
test('a deleted terminal leaves its release, one that moved away too, and a disabled one waits until it is enabled', async () => {
  const other = await app.dept('Other bank');
  const mine = sns(5);
  await makeDevices(app, bank, productId, mine);
  // The bank's own release: what goes to another bank is out of its reach.
  const manager = await app.person('orgManager', bank);
  const task = await manager.call(taskCalls.add, {
    name: 'Own',
    packageId,
    scope: { releaseScope: '2', sns: mine },
    delivery: { paceAtOnce: 1 },
    release: true,
  });
  await settle();
  expect(await tally(task.id)).toEqual({ '1': 4, '2': 1 });
  const rows = await admin.call(taskDeviceCalls.page, { criteria: { taskId: task.id, state: { in: ['1'] } } });
  const [deleted, moved, disabled] = rows.content;
  if (!deleted || !moved || !disabled) throw new Error('no rows');
  await app.context.unscoped((db) => sql`update device set status = '1' where id = ${deleted.deviceId}`.execute(db));
  await admin.call(deviceCalls.delete, { of: { ids: [deleted.deviceId] } });
  await admin.call(deviceCalls.move, { of: { ids: [moved.deviceId] }, deptId: other.id });
  await admin.call(deviceCalls.disable, { of: { ids: [disabled.deviceId] } });
  await follow();
  const state = async (id: number) => {
    const page = await admin.call(taskDeviceCalls.page, { criteria: { taskId: task.id } });
    const row = page.content.find((one) => one.id === id);
    return [row?.state, row?.why.key, row?.reason];
  };
  expect(await state(deleted.id)).toEqual(['10', 'why.deviceDeleted', 'deviceDeleted']);
  expect(await state(moved.id)).toEqual(['9', 'why.cancelled', 'moved']);
  expect(await state(disabled.id)).toEqual(['8', 'why.deviceDisabled', 'deviceDisabled']);
  // A pause of the release and its end leave the disabled one where it is.
  await manager.call(taskCalls.pause, { id: task.id });
  await settle();
  await manager.call(taskCalls.recover, { id: task.id });
  await settle();
  expect(await state(disabled.id)).toEqual(['8', 'why.deviceDisabled', 'deviceDisabled']);
  await admin.call(deviceCalls.enable, { of: { ids: [disabled.deviceId] } });
  await follow();
  expect((await state(disabled.id))[0]).toBe('1');
});

test('what was sent before a terminal moved away runs to its result; within the owner’s reach nothing ends', async () => {
  const mine = sns(2);
  await makeDevices(app, bank, productId, mine);
  const manager = await app.person('orgManager', bank);
  const scope = { releaseScope: '2' as const, sns: mine };
  const task = await manager.call(taskCalls.add, { name: 'Own', packageId, scope, delivery: { paceAtOnce: 1 }, release: true });
  await settle();
  const [sent] = await offers(task.id);
  if (!sent) throw new Error('nothing was sent');
  const waiting = await admin.call(taskDeviceCalls.page, { criteria: { taskId: task.id, state: { in: ['1'] } } });
  const other = await app.dept('A third bank');
  await admin.call(deviceCalls.move, { of: { ids: [sent.device_id] }, deptId: other.id });
  await admin.call(deviceCalls.move, { of: { ids: waiting.content.map((row) => row.deviceId) }, deptId: branch.id });
  await follow();
  expect(await tally(task.id)).toEqual({ '1': 1, '2': 1 });
  await subscribe('result', sent, { outcome: 'success' });
  await settle();
  expect((await tally(task.id))['3']).toBe(1);
  const teller = await app.person('orgManager', branch);
  expect((await teller.call(taskCalls.detail, { id: task.id })).total).toBe(1);
});

test('a terminal whose product is put right leaves the releases of the former one', async () => {
  const mine = sns(2);
  const [first = 0] = await makeDevices(app, bank, productId, mine);
  const id = await release(mine, { pacePerMinute: 1 });
  const [waits] = (await admin.call(taskDeviceCalls.page, { criteria: { taskId: id, state: { in: ['1'] } } })).content;
  const deviceId = waits?.deviceId ?? first;
  const other = await makeProduct(app, app.root);
  await app.context.unscoped(async (db) => {
    await sql`update device set product_id = ${other} where id = ${deviceId}`.execute(db);
    await app.context.enqueue(db, FOLLOW_DEVICES, { ids: [deviceId] });
  });
  await follow();
  const [row] = (await admin.call(taskDeviceCalls.page, { criteria: { taskId: id, state: { in: ['9'] } } })).content;
  expect([row?.deviceId, row?.reason]).toEqual([deviceId, 'otherProduct']);
});
