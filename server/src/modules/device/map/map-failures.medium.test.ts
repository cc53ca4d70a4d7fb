import { deviceCalls } from '@mooring/contract/device/calls';
import { mapCalls } from '@mooring/contract/device/map/map-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { makeAlarm } from '../../../../test/places.ts';
import { type TestApp, testApp } from '../../../../test/test-app.ts';
import { dropFailures, foldFailures } from './fold-failures.ts';

let app: TestApp;
const WORLD = { south: -85, west: -180, north: 85, east: 180 };

beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('failures by squares where terminals stood, by days, product and organisation, before and after they are added up', async () => {
  const bank = await app.dept('Harbour Bank');
  const branch = await app.dept('Harbour Branch', bank);
  const banker = await app.person('orgManager', bank);
  const foreigner = await app.person('orgManager', await app.dept('Meridian'));
  const productId = await makeProduct(app, app.root, 'HEAT');
  const [one = 0] = await makeDevices(app, bank, productId, ['HEAT-1']);
  const [two = 0, nowhere = 0] = await makeDevices(app, branch, productId, ['HEAT-2', 'HEAT-3']);
  const run = (query: ReturnType<typeof sql>) => app.context.unscoped((db) => query.execute(db));
  await run(sql`update device_place set lat = -16.8, lon = 179.99, source = 'gps' where device_id = ${one}`);
  await run(sql`update device_place set lat = -16.8, lon = -179.99, source = 'gps' where device_id = ${two}`);
  const fail = async (device: number, path: string, daysAgo: number, reason: string) => {
    const at = new Date(app.clock.now.getTime() - daysAgo * 86_400_000);
    await run(sql`
      insert into gateway_outbox (key, device_id, sn, dept_path, topic, kind, data, state, next_at, expires_at)
      values (gen_random_uuid()::text, ${device}, 'x', ${path}, 'command', 'reboot', '{}', 'sent', ${at}, ${at})`);
    await run(
      sql`update gateway_outbox set state = 'failed', reason = ${reason}, answered_at = ${at} where device_id = ${device} and state = 'sent'`,
    );
  };
  await fail(one, bank.path, 0, 'timeout');
  await fail(one, bank.path, 20, 'made up by a terminal');
  await fail(two, branch.path, 3, 'timeout');
  await fail(nowhere, branch.path, 0, 'timeout');
  // Two of them: of a rule, and of a geofence.
  await makeAlarm(app, branch, two, 'Heat');
  const seen = async (more: Partial<InputOf<typeof mapCalls.failures>> = {}, client = banker) => {
    const { squares, total } = await client.call(mapCalls.failures, { box: WORLD, zoom: 4, ...more });
    expect(squares.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    return squares.map(({ count }) => count).sort();
  };
  const around = { south: -17, west: 179.9, north: -16, east: -179.9 };
  for (const step of [async () => undefined, () => app.context.unscoped(foldFailures)]) {
    await step();
    expect(await seen()).toEqual([1, 3]);
    expect(await seen({ days: '1' })).toEqual([1, 2]);
    expect(await seen({ days: '30' })).toEqual([2, 3]);
    expect(await seen({ criteria: { productId } })).toEqual([1, 3]);
    expect(await seen({ criteria: { productId: productId + 1 } })).toEqual([]);
    expect(await seen({ criteria: { below: branch.id } })).toEqual([3]);
    expect(await seen({ box: around, zoom: 18 })).toEqual([1, 3]);
    expect(await seen({ box: { ...around, east: 179.995 }, zoom: 18 })).toEqual([1]);
    expect(await seen({}, foreigner)).toEqual([]);
  }
  const { squares } = await banker.call(mapCalls.failures, { box: WORLD, zoom: 4, days: '30' });
  expect(squares.flatMap(({ reasons }) => reasons.map(({ source, reason }) => `${source} ${reason}`)).sort()).toEqual([
    'alarm battery',
    'alarm geofence',
    'command other',
    'command timeout',
    'command timeout',
  ]);
  const listed = async (failed: '1' | '7' | '30', cell?: string) => {
    const { content } = await banker.call(deviceCalls.page, { criteria: { failed, ...(cell ? { cell } : {}) } });
    return content.map(({ sn }) => sn).sort();
  };
  expect(await listed('7')).toEqual(['HEAT-1', 'HEAT-2']);
  expect((await Promise.all(squares.map(({ cell }) => listed('7', cell)))).flat().sort()).toEqual(['HEAT-1', 'HEAT-2']);
  await run(sql`update alert_alarm set state = 'closed', closed_at = now() where device_id = ${two}`);
  expect(await seen()).toEqual([1, 1]);
  await app.context.unscoped(foldFailures);
  expect(await seen()).toEqual([1, 1]);
  await app.context.unscoped((db) => dropFailures(db, new Date(app.clock.now.getTime() + 40 * 86_400_000)));
  expect(await seen({ days: '30' })).toEqual([]);
});
