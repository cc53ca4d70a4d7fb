import { deviceHistoryCalls } from '@mooring/contract/device/history-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { Ctx } from '../../../platform/context.ts';
import { keepHealth, recordHealth } from './record-health.ts';

const HOUR = 3_600_000;
let app: TestApp;
let banker: Client;
let foreigner: Client;
let id = 0;

beforeAll(async () => {
  app = await testApp();
  // The middle of an hour, so that no step of the test crosses it.
  app.clock.now = new Date(`${app.clock.now.toISOString().slice(0, 13)}:30:00Z`);
  const bank = await app.dept('Harbour Bank');
  banker = await app.person('orgManager', bank);
  foreigner = await app.person('orgManager', await app.dept('Meridian'));
  [id = 0] = await makeDevices(app, bank, await makeProduct(app, app.root, 'HEALTH-1'), ['HEALTH-A', 'HEALTH-B']);
  // The other one was never heard of.
  await app.context.unscoped((db) => sql`update device_presence set seen_at = null where device_id <> ${id}`.execute(db));
});
afterAll(() => app.stop());

/** What its heartbeat says now. */
const beat = (battery: number, rxBytes: unknown, txBytes: unknown) =>
  app.context.unscoped((db) =>
    sql`update device_presence set seen_at = ${app.clock.now}, battery = ${battery}, signal = -71, counters = ${JSON.stringify({ rxBytes, txBytes })}::jsonb
      where device_id = ${id}`.execute(db),
  );
const record = () => recordHealth.run({ ...app.context, now: () => app.clock.now } as unknown as Ctx, {});
const kept = async () =>
  (await app.context.unscoped((db) => sql<{ n: number }>`select count(*)::int as n from device_health`.execute(db))).rows[0]?.n;
const later = (hours: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + hours * HOUR);
};
const read = async (days: '1' | '7' | '14' = '1') => (await banker.call(deviceHistoryCalls.health, { id, days })).content;
const traffic = async () => (await banker.call(deviceHistoryCalls.transport, { id, days: '1' })).content.slice(-6);

test('once an hour what a terminal told is kept; twice adds nothing, and who told nothing has nothing', async () => {
  await beat(80, 1000, 500);
  await record();
  await record();
  expect(await kept()).toBe(1);
  later(1);
  await beat(70, 5000, 600);
  await Promise.all([record(), record()]);
  expect(await kept()).toBe(2);
  later(2);
  await record();
  expect(await kept()).toBe(2);
});

test('hour by hour, with gaps where it was silent, and what it told last at the end', async () => {
  later(1);
  // Its agent has begun to count anew, and once it counts nonsense.
  await beat(60, 300, 'many');
  await record();
  const points = await read();
  expect(points).toHaveLength(25);
  expect(points.slice(-6).map((one) => one.battery)).toEqual([80, 70, null, null, 60, 60]);
  expect(points.slice(-6).map((one) => one.signal)).toEqual([-71, -71, null, null, -71, -71]);
  expect(points.slice(0, -6).every((one) => one.battery === null)).toBe(true);
  expect(await traffic()).toMatchObject([
    { received: null, sent: null },
    { received: 4000, sent: 100 },
    { received: null, sent: null },
    { received: null, sent: null },
    { received: 300, sent: null },
    { received: 0, sent: null },
  ]);
  expect(await read('7')).toHaveLength(7 * 24 + 1);
});

test('a terminal of somebody else has no figures', async () => {
  for (const call of [deviceHistoryCalls.health, deviceHistoryCalls.transport]) expect((await foreigner.send(call, { id })).code).toBe(404);
});

test('who has a terminal later sees what it told since', async () => {
  const meridian = await app.dept('Meridian North');
  const next = await app.person('orgManager', meridian);
  await app.context.unscoped((db) =>
    sql`update device set dept_id = ${meridian.id}, dept_path = ${meridian.path} where id = ${id}`.execute(db),
  );
  later(1);
  await beat(44, 500, 0);
  await record();
  const figures = (await next.call(deviceHistoryCalls.health, { id })).content.map((one) => one.battery);
  expect(figures.filter((one) => one !== null)).toEqual([44, 44]);
});

test('days that are over go as a whole, and nothing else can be dropped this way', async () => {
  await app.context.pools.owner.query(
    "create table device_health_20000101 partition of device_health for values from ('2000-01-01Z') to ('2000-01-02Z')",
  );
  for (const _ of [1, 2]) await app.context.unscoped(keepHealth);
  const left = await app.context.pools.owner.query(
    "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'device_health'::regclass order by 1",
  );
  expect(left.rows).toHaveLength(4);
  expect(left.rows.map((row) => row.name)).toContain('device_health_default');
  expect(left.rows.map((row) => row.name)).not.toContain('device_health_20000101');
  await expect(app.context.unscoped((db) => sql`select keep_days('device', 0)`.execute(db))).rejects.toThrow('no history by days');
});
