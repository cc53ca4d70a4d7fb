import { blackoutCalls } from '@mooring/contract/blackout/calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { addDays } from '@mooring/contract/shared/date-range';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let admin: Client;
let manager: Client;
let below: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, release, offers, subscribe, tally } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
const HOUR = 3_600_000;
const pass = (hours: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + hours * HOUR);
};
const today = () => app.clock.now.toISOString().slice(0, 10);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  below = await app.person('orgManager', branch);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`delete from release_blackout`.execute(db));
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

/** The window that a terminal was sent. */
const windowOf = async (offer: string) => {
  const found = await app.context.unscoped((db) =>
    sql<{ window: { blackout: string[] } | null }>`select data->'window' as window from gateway_outbox where key = ${offer}`.execute(db),
  );
  return found.rows[0]?.window ?? null;
};
const week = [1, 2, 3, 4, 5, 6, 7];

test('a terminal is sent the blackout dates of its organisation and of all above it, and nobody else’s', async () => {
  const [mine = '', theirs = ''] = sns(2);
  await makeDevices(app, branch, productId, [mine]);
  await makeDevices(app, other, productId, [theirs]);
  const [first, second] = [addDays(today(), 3), addDays(today(), 10)];
  await manager.call(blackoutCalls.add, { name: 'Holidays', fromDay: first, toDay: addDays(first, 1), deptId: bank.id });
  await below.call(blackoutCalls.add, { name: 'Fair', fromDay: second, toDay: second, deptId: branch.id });
  const sent = await offers(await release([mine, theirs]));
  const at = async (sn: string) => windowOf(sent.find((one) => one.sn === sn)?.offer ?? '');
  expect(await at(mine)).toEqual({ days: week, from: '00:00', to: '24:00', blackout: [first, addDays(first, 1), second] });
  expect(await at(theirs)).toBeNull();
});

test('they come on top of the release’s own dates; its hours stay', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, bank, productId, [sn]);
  const day = addDays(today(), 5);
  await manager.call(blackoutCalls.add, { name: 'Audit', fromDay: day, toDay: day, deptId: bank.id });
  const own = addDays(today(), 2);
  const [offer] = await offers(await release([sn], { window: { days: [2, 4], from: '22:00', to: '04:00', blackout: [own] } }));
  expect(await windowOf(offer?.offer ?? '')).toEqual({ days: [2, 4], from: '22:00', to: '04:00', blackout: [own, day] });
});

test('who waits for a window may wait until it has been open, however long that is; then silence counts', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, bank, productId, [sn]);
  // One night a week, and the first two of them are closed.
  const day = new Date(`${addDays(today(), 2)}T00:00:00Z`).getUTCDay() || 7;
  const blackout = [addDays(today(), 2), addDays(today(), 9)];
  const window = { days: [day], from: '02:00', to: '04:00', blackout };
  const id = await release([sn], { retries: 0, timeoutMinutes: 60, window });
  const [offer] = await offers(id);
  if (!offer) throw new Error('no offer');
  await subscribe('progress', offer, { phase: 'waiting', reason: 'window' });
  const opens = Date.parse(`${addDays(today(), 16)}T02:00:00Z`);
  app.clock.now = new Date(opens - HOUR);
  await settle();
  expect(await tally(id)).toEqual({ '2': 1 });
  app.clock.now = new Date(opens + 2 * HOUR + HOUR / 2);
  await settle();
  expect(await tally(id)).toEqual({ '2': 1 });
  pass(2);
  await settle();
  expect(await tally(id)).toEqual({ '5': 1 });
});

test('who waits for a window goes on waiting for it after a pause, without a word; who is gone by then has its time-out', async () => {
  const mine = sns(2);
  const ids = await makeDevices(app, bank, productId, mine);
  const day = new Date(`${addDays(today(), 2)}T00:00:00Z`).getUTCDay() || 7;
  const id = await release(mine, { retries: 0, timeoutMinutes: 60, window: { days: [day], from: '02:00', to: '04:00' } });
  for (const offer of await offers(id)) await subscribe('progress', offer, { phase: 'waiting', reason: 'window' });
  await admin.call(taskCalls.pause, { id });
  await settle();
  await app.context.unscoped((db) => sql`update device_presence set online = false where device_id = ${ids[1] ?? 0}`.execute(db));
  pass(1);
  await admin.call(taskCalls.recover, { id });
  await settle();
  expect(await tally(id)).toEqual({ '2': 2 });
  pass(2);
  await settle();
  expect(await tally(id)).toEqual({ '2': 1, '5': 1 });
  // Its window may have shut meanwhile: then it has its time-out.
  await admin.call(taskCalls.pause, { id });
  await settle();
  app.clock.now = new Date(`${addDays(today(), 9)}T12:00:00Z`);
  await admin.call(taskCalls.recover, { id });
  await settle();
  expect(await tally(id)).toEqual({ '2': 1, '5': 1 });
});

test('how long a terminal may wait for other things is the release’s own', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, bank, productId, [sn]);
  const id = await release([sn], { retries: 0, timeoutMinutes: 60, waitingDays: 2 });
  const [offer] = await offers(id);
  if (!offer) throw new Error('no offer');
  await subscribe('progress', offer, { phase: 'waiting', reason: 'network' });
  pass(47);
  await settle();
  expect(await tally(id)).toEqual({ '2': 1 });
  pass(2);
  await settle();
  expect(await tally(id)).toEqual({ '5': 1 });
});

test.each([
  ['ends before it begins', 5, 4, 'invalid.blackoutOrder'],
  ['is longer than sixty days', 5, 65, 'invalid.blackoutLong'],
  ['has passed', -9, -5, 'invalid.blackoutPast'],
])('a blackout that %s is refused at its last day', async (_what, from, to, text) => {
  const asked = { name: 'Wrong', fromDay: addDays(today(), from), toDay: addDays(today(), to), deptId: bank.id };
  const { body } = await manager.send(blackoutCalls.add, asked);
  expect(body).toMatchObject({ fault: 'BAD_INPUT', fields: { toDay: { key: text } } });
});

test('whoever is below sees it and leaves it alone; who is beside it sees nothing', async () => {
  const day = addDays(today(), 1);
  const { id } = await manager.call(blackoutCalls.add, { name: 'Holidays', fromDay: day, toDay: day, deptId: bank.id });
  const seen = await below.call(blackoutCalls.page, {});
  expect(seen.content).toMatchObject([{ id, name: 'Holidays', fromDay: day, toDay: day, allowedActions: [] }]);
  expect((await below.send(blackoutCalls.delete, { id })).body).toMatchObject({ fault: 'NOT_FOUND' });
  const beside = await app.person('orgManager', other);
  expect((await beside.call(blackoutCalls.page, {})).content).toEqual([]);
});

test('a window that ends when it begins is refused', async () => {
  const scope = { releaseScope: '0' as const };
  const delivery = { window: { days: [1], from: '02:00', to: '02:00' } };
  expect((await admin.send(taskCalls.add, { name: 'Never', packageId, scope, delivery })).body).toMatchObject({ fault: 'BAD_INPUT' });
});
