import { blackoutCalls } from '@mooring/contract/blackout/calls';
import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { addDays, dayOf } from '@mooring/contract/shared/date-range';
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
let productId = 0;
let packageId = 0;
const { sns, release, offers, subscribe } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
const DAY = 86_400_000;
const ZONE = 'Asia/Kathmandu';
const night = { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '04:00', blackout: [] as string[] };

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other');
  admin = await app.person('platformAdmin', app.root);
  app.clock.now = new Date(`${addDays(app.clock.now.toISOString().slice(0, 10), 1)}T06:00:00Z`);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await run(sql`delete from release_blackout`);
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

const at = async (owner: DeptAt, zone: string | null = ZONE) => {
  const [sn = ''] = sns(1);
  const [id = 0] = await makeDevices(app, owner, productId, [sn]);
  await run(sql`update device set time_zone = ${zone} where id = ${id}`);
  return { sn, id };
};
const close = (owner: DeptAt, fromDay: string, toDay = fromDay) =>
  admin.call(blackoutCalls.add, { name: `Closed ${fromDay}`, fromDay, toDay, deptId: owner.id });
const run = (query: ReturnType<typeof sql>) => app.context.unscoped((db) => query.execute(db));
const waits = async (taskId: number) => {
  for (const offer of await offers(taskId)) await subscribe('progress', offer, { phase: 'waiting', reason: 'window' });
};
const whys = async (taskId: number) =>
  new Map((await admin.call(taskDeviceCalls.page, { criteria: { taskId } })).content.map(({ sn, why }) => [sn, why]));
const today = () => dayOf(app.clock.now, ZONE);
/** 22:00 on a day in Kathmandu, 5:45 ahead of UTC. */
const opening = (day: string) => `${day}T16:15:00.000Z`;

test('who waits for its window is told when that opens by its own clock, after the closed dates of all organisations above it', async () => {
  const [below, beside] = [await at(branch), await at(other)];
  await close(bank, today());
  await close(branch, addDays(today(), 1));
  await close(other, addDays(today(), 9));
  const id = await release([below.sn, beside.sn], { window: night });
  await waits(id);
  const found = await whys(id);
  expect(found.get(below.sn)).toEqual({ key: 'why.windowOpens', params: { at: opening(addDays(today(), 2)), zone: ZONE } });
  expect(found.get(beside.sn)).toEqual({ key: 'why.windowOpens', params: { at: opening(today()), zone: ZONE } });
  // The terminal's own page says the same; so does who may only see the branch.
  const [own] = await admin.call(deviceReleaseCalls.list, { deviceId: below.id });
  expect(own?.why).toEqual(found.get(below.sn));
  const manager = await app.person('orgManager', branch);
  const [seen] = await manager.call(deviceReleaseCalls.list, { deviceId: below.id });
  expect(seen?.why).toEqual(found.get(below.sn));
});

test('one that never opens before the release ends says so, also before anything is sent; dates of the release itself count', async () => {
  const [shut, open] = [await at(branch), await at(other)];
  const expiresAt = new Date(app.clock.now.getTime() + 3 * DAY).toISOString();
  await close(bank, today(), addDays(today(), 3));
  const delivery = { window: night, expiresAt };
  const preview = await admin.call(taskCalls.preview, { packageId, scope: { releaseScope: '2', sns: [shut.sn, open.sn] }, delivery });
  expect(preview).toMatchObject({ matched: 2, openings: { never: 1, days: [{ day: today(), count: 1, depts: ['Other'] }] } });
  const id = await release([shut.sn, open.sn], { ...delivery, paceAtOnce: 1 });
  // One goes out at a time; the other is told before anything is sent to it. Now the one, now the other.
  const turn = (sn: string) => run(sql`update rollout_result set state = case when sn = ${sn} then '2' else '1' end where task_id = ${id}`);
  await turn(open.sn);
  expect((await whys(id)).get(shut.sn)).toEqual({ key: 'why.windowNever', params: {} });
  await turn(shut.sn);
  expect((await whys(id)).get(open.sn)).toEqual({ key: 'why.pace', params: {} });
  await admin.call(taskCalls.cancel, { id });
  const again = await release([shut.sn], delivery);
  await waits(again);
  expect((await whys(again)).get(shut.sn)).toEqual({ key: 'why.windowNever', params: {} });
});

test('without a window, or where it is open, nothing is said of it; closed dates alone may last as long as a release', async () => {
  const one = await at(branch, null);
  const scope = { releaseScope: '2' as const, sns: [one.sn] };
  const never = async (delivery: object) => (await admin.call(taskCalls.preview, { packageId, scope, delivery })).openings?.never;
  expect(await never({})).toBe(0);
  const day = app.clock.now.toISOString().slice(0, 10);
  await close(branch, addDays(day, -1), addDays(day, 40));
  expect(await never({})).toBe(1);
  expect(await never({ expiresAt: new Date(app.clock.now.getTime() + 60 * DAY).toISOString() })).toBe(0);
  expect(await never({ startAt: new Date(app.clock.now.getTime() + 39 * DAY).toISOString() })).toBe(0);
  const id = await release([one.sn], { window: { ...night, from: '00:00', to: '24:00' } });
  await run(sql`delete from release_blackout`);
  await waits(id);
  expect((await whys(id)).get(one.sn)?.key).toBe('why.waiting');
});

test('a release says when it opens next by the dates of organisations too: the earliest first, and where it is later', async () => {
  const [below, beside, far] = [await at(branch), await at(other), await at(other, 'Pacific/Auckland')];
  const delivery = { window: night };
  const chosen = { releaseScope: '2' as const, sns: [below.sn, beside.sn, far.sn] };
  const previewed = async () => (await admin.call(taskCalls.preview, { packageId, scope: chosen, delivery })).openings;
  const away = dayOf(app.clock.now, 'Pacific/Auckland');
  const open = { now: 0, never: 0, from: '22:00' };
  expect(away).toBe(today());
  expect(await previewed()).toEqual({ ...open, days: [{ day: today(), count: 3, depts: ['Other', 'Branch'], moreDepts: 0 }] });
  await close(bank, today());
  await close(branch, addDays(today(), 1), addDays(today(), 2));
  const expected = {
    ...open,
    days: [
      { day: today(), count: 2, depts: ['Other'], moreDepts: 0 },
      { day: addDays(today(), 3), count: 1, depts: ['Branch'], moreDepts: 0 },
    ],
  };
  expect(await previewed()).toEqual(expected);
  const draft = await admin.call(taskCalls.add, { name: 'Night', packageId, scope: chosen, delivery });
  expect((await admin.call(taskCalls.detail, { id: draft.id })).openings).toBeNull();
  await admin.call(taskCalls.delete, { id: draft.id });
  const id = await release([below.sn, beside.sn, far.sn], delivery);
  await waits(id);
  expect((await admin.call(taskCalls.detail, { id })).openings).toEqual(expected);
  // A terminal's own page says the same day.
  expect((await whys(id)).get(below.sn)?.params).toMatchObject({ at: opening(addDays(today(), 3)) });
  // Who may only see the branch hears of its terminals alone.
  const manager = await app.person('orgManager', branch);
  expect((await manager.call(taskCalls.detail, { id })).openings).toEqual({ ...open, days: [expected.days[1]] });
});

test('closed dates alone, without a window, are said as well; what is through is counted no more', async () => {
  const [shut, free] = [await at(branch), await at(other)];
  await close(branch, today());
  const id = await release([shut.sn, free.sn]);
  const openings = async () => (await admin.call(taskCalls.detail, { id })).openings;
  const later = [{ day: addDays(today(), 1), count: 1, depts: ['Branch'], moreDepts: 0 }];
  expect(await openings()).toEqual({ now: 1, never: 0, from: '00:00', days: later });
  await run(sql`update rollout_result set state = '3' where task_id = ${id} and sn = ${free.sn}`);
  expect(await openings()).toEqual({ now: 0, never: 0, from: '00:00', days: later });
});
