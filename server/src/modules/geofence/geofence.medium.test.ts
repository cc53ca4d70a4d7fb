import { alarmCalls } from '@mooring/contract/alert/alarm';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { Geofence, geofenceCalls } from '@mooring/contract/geofence/geofence';
import { geofenceAlarmCalls } from '@mooring/contract/geofence/geofence-alarm';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BERLIN, type GeofenceBench, geofenceBench, makeFence, north } from './geofence.factory.ts';

let bench: GeofenceBench;
let app: GeofenceBench['app'];
let bank: GeofenceBench['bank'];
let branch: GeofenceBench['branch'];
let manager: GeofenceBench['manager'];
let say: GeofenceBench['say'];
let look: GeofenceBench['look'];
let alarmsOf: GeofenceBench['alarmsOf'];
beforeAll(async () => {
  bench = await geofenceBench();
  ({ app, bank, branch, manager, say, look, alarmsOf } = bench);
});
afterAll(() => bench.app.stop());

test('a terminal that leaves raises one alarm, whichever gateway hears it, and closes it when it is back', async () => {
  const [id = 0] = await bench.terminals(branch, 1);
  const fence = await makeFence(manager, bank.id, { name: 'Old town' });
  await say(branch, [id], BERLIN);
  await say(branch, [id], north(2000));
  await look();
  expect(await alarmsOf('Old town')).toEqual([]);
  for (const metres of [2100, 2200, 3000, 9000]) {
    await say(branch, [id], north(metres));
    await look();
  }
  const [alarm] = await alarmsOf('Old town');
  expect(alarm).toMatchObject({
    state: 'open',
    ruleName: 'Old town',
    deviceId: id,
    deptName: 'Branch',
    count: 1,
    reason: '',
    about: { fence: 'Old town', when: 'left' },
    allowedActions: ['acknowledge', 'close'],
  });
  expect(await manager.call(geofenceCalls.detail, { id: fence.id })).toMatchObject({ inside: 0, outside: 1, openAlarms: 1 });
  // The same alarm stands among all others.
  expect((await manager.call(alarmCalls.page, { criteria: { kind: 'geofence', deviceId: id } })).content).toMatchObject([
    { id: alarm?.id },
  ]);
  expect(await manager.call(geofenceAlarmCalls.acknowledge, { id: alarm?.id ?? 0, note: 'The driver is told' })).toMatchObject({
    state: 'acknowledged',
    note: 'The driver is told',
  });
  await say(branch, [id], BERLIN);
  await look();
  expect(await alarmsOf('Old town')).toMatchObject([{ state: 'acknowledged' }]);
  await say(branch, [id], BERLIN);
  await look();
  expect(await alarmsOf('Old town')).toMatchObject([{ state: 'closed', closedBy: '', reason: 'back' }]);
  expect(await manager.call(geofenceCalls.detail, { id: fence.id })).toMatchObject({ inside: 1, outside: 0, openAlarms: 0 });
});

test('on the line nothing changes, and what was never within leaves nothing', async () => {
  const [on = 0, far = 0] = await bench.terminals(bank, 2);
  const fence = await makeFence(manager, bank.id, { name: 'Line', margin: 100 });
  await say(bank, [on], BERLIN);
  for (const metres of [1050, 1105, 990, 1100, 1109]) await say(bank, [on], north(metres));
  await say(bank, [far], north(50_000));
  await say(bank, [far], north(50_000));
  await look();
  expect(await bench.standsOf(fence.id)).toEqual([{ device_id: on, state: 'inside', other: 0 }]);
  expect(await alarmsOf('Line')).toEqual([]);
  // A vague word is outside only far from it.
  for (let n = 0; n < 3; n += 1) await say(bank, [on], north(2900), 1, 2000);
  expect(await bench.standsOf(fence.id)).toEqual([{ device_id: on, state: 'inside', other: 0 }]);
});

test('who stays outside for too long raises one too, though it was never within', async () => {
  const [id = 0] = await bench.terminals(bank, 1);
  await makeFence(manager, bank.id, { name: 'Stays', alarmOn: 'out', outMinutes: 30, audience: 'devices', deviceIds: [id] });
  await say(bank, [id], north(5000));
  await look(29);
  expect(await alarmsOf('Stays')).toEqual([]);
  await look(2);
  expect(await alarmsOf('Stays')).toMatchObject([{ state: 'open', about: { when: 'out', n: 30, unit: 'minutes' } }]);
});

test('a polygon, and the shop of each terminal', async () => {
  const [here = 0, there = 0, nowhere = 0] = await bench.terminals(bank, 3);
  const deviceIds = [here, there, nowhere];
  await app.context.unscoped(async (db) => {
    const shop = sql`insert into merchant_merchant (number, name, kind, lat, lon, dept_id, dept_path)
      values ('GF-1', 'Corner', 'retail', ${BERLIN.lat}, ${BERLIN.lon}, ${bank.id}, ${bank.path}) returning id`;
    await sql`with m as (${shop}) update device set merchant_id = m.id from m where device.id = any(${[here, there]}::bigint[])`.execute(
      db,
    );
  });
  const shops = await makeFence(manager, bank.id, { name: 'Shops', shape: 'shop', radius: 200, audience: 'devices', deviceIds });
  const area = '52.4,13.2;52.6,13.2;52.6,13.6;52.4,13.6';
  const drawn = await makeFence(manager, bank.id, { name: 'Drawn', shape: 'polygon', area, audience: 'devices', deviceIds });
  await say(bank, [here, nowhere], BERLIN);
  await say(bank, [there], north(1000));
  expect(await bench.standsOf(shops.id)).toMatchObject([{ device_id: here, state: 'inside' }]);
  expect(await bench.standsOf(drawn.id)).toMatchObject([{ device_id: here }, { device_id: there }, { device_id: nowhere }]);
  const preview = { deptId: bank.id, shape: 'shop' as const, radius: 200, audience: 'devices' as const, deviceIds };
  await app.context.unscoped((db) =>
    sql`update device_presence set lat = ${BERLIN.lat}, lon = ${BERLIN.lon}, accuracy = 5 where device_id = any(${deviceIds}::bigint[])`.execute(
      db,
    ),
  );
  expect(await manager.call(geofenceCalls.preview, preview)).toEqual({ inside: 2, outside: 0, unknown: 1, sns: [], isAll: true });
  const moved = { ...preview, shape: 'circle' as const, ...north(2000) };
  expect(await manager.call(geofenceCalls.preview, moved)).toMatchObject({
    inside: 0,
    outside: 3,
    sns: [expect.any(String), expect.any(String), expect.any(String)],
  });
});

test('a disabled or deleted fence, and one with another event, closes its alarms with the reason; a new name closes none', async () => {
  const ids = await bench.terminals(bank, 1);
  const leave = async (name: string) => {
    const fence = await makeFence(manager, bank.id, { name, audience: 'devices', deviceIds: ids });
    await say(bank, ids, BERLIN);
    await say(bank, ids, north(3000));
    await say(bank, ids, north(3000));
    await look();
    expect(await alarmsOf(name)).toMatchObject([{ state: 'open' }]);
    return fence;
  };
  const made = await leave('Changed');
  const form = Geofence.change.parse(Object.fromEntries(Object.entries(made).filter(([key]) => key in Geofence.change.shape)));
  const renamed = await manager.call(geofenceCalls.update, { ...form, name: 'Changed twice' });
  expect(await alarmsOf('Changed')).toMatchObject([{ state: 'open' }]);
  await manager.call(geofenceCalls.update, { ...form, name: 'Changed twice', alarmOn: 'out', revision: renamed.revision });
  expect(await alarmsOf('Changed')).toMatchObject([{ state: 'closed', reason: 'changed' }]);
  expect(await bench.standsOf(made.id)).toEqual([]);
  const off = await leave('Off');
  expect(await manager.call(geofenceCalls.setEnabled, { id: off.id, enabled: false })).toMatchObject({ enabled: false, outside: 0 });
  expect(await alarmsOf('Off')).toMatchObject([{ state: 'closed', reason: 'off' }]);
  await say(bank, ids, BERLIN);
  expect(await bench.standsOf(off.id)).toEqual([]);
  const gone = await leave('Gone');
  await manager.call(geofenceCalls.delete, { id: gone.id });
  expect(await alarmsOf('Gone')).toMatchObject([{ state: 'closed', reason: 'deleted' }]);
});

test('a terminal that is deleted, goes to another organisation or leaves the group stands to the fence no more', async () => {
  const [deleted = 0, moved = 0, left = 0] = await bench.terminals(bank, 3);
  const group = await manager.call(deviceGroupCalls.add, { name: 'Vans', deptId: bank.id, kind: 'static' });
  await manager.call(deviceGroupCalls.addMembers, { groupId: group.id, of: { ids: [deleted, moved, left] } });
  const fence = await makeFence(manager, bank.id, { name: 'Vans only', audience: 'groups', groupIds: [group.id] });
  const ids = [deleted, moved, left];
  const [single = 0] = await bench.terminals(bank, 1);
  await say(bank, [...ids, single], BERLIN);
  for (let n = 0; n < 2; n += 1) await say(bank, [...ids, single], north(3000));
  await look();
  expect(await alarmsOf('Vans only')).toHaveLength(3);
  await app.context.unscoped(async (db) => {
    await sql`update device set deleted_at = now() where id = ${deleted}`.execute(db);
    await sql`update device set dept_id = ${bench.other.id}, dept_path = ${bench.other.path} where id = ${moved}`.execute(db);
  });
  await manager.call(deviceGroupCalls.removeMembers, { groupId: group.id, of: { ids: [left] } });
  await look();
  expect((await alarmsOf('Vans only')).map(({ state, reason }) => ({ state, reason }))).toEqual(
    Array(3).fill({ state: 'closed', reason: 'notFor' }),
  );
  expect(await bench.standsOf(fence.id)).toEqual([]);
  expect(await bench.outsider.call(geofenceCalls.ofDevice, { deviceId: moved })).toEqual([]);
});

test('a muted terminal is told of when that is over, and many that leave at once are one alarm each', async () => {
  const ids = await bench.terminals(bank, 30);
  const [muted = 0] = ids;
  await makeFence(manager, bank.id, { name: 'Depot' });
  await manager.call(alarmCalls.muteDevice, { deviceId: muted, until: new Date(app.clock.now.getTime() + 20 * 60_000).toISOString() });
  await say(bank, ids, BERLIN);
  for (let n = 0; n < 3; n += 1) await say(bank, ids, north(3000));
  await look();
  expect(await alarmsOf('Depot')).toHaveLength(29);
  await look(30);
  expect(await alarmsOf('Depot')).toHaveLength(30);
});

test('its rule is not among the rules, and no rule is written about geofences', async () => {
  await makeFence(manager, bank.id, { name: 'Same name' });
  const rules = await manager.call(alertRuleCalls.page, {});
  expect(rules.content.map(({ name }) => name)).not.toContain('Same name');
  expect(await manager.call(alertRuleCalls.add, { name: 'Same name', deptId: bank.id, kind: 'battery' })).toMatchObject({
    name: 'Same name',
  });
  const { body } = await manager.send(alertRuleCalls.add, { name: 'x', deptId: bank.id, kind: 'geofence' });
  expect(body).toMatchObject({ fault: 'BAD_INPUT', fields: { kind: expect.anything() } });
});

test('wrong, missing, foreign and doubled input is refused where it stands', async () => {
  const sent = (more: object) =>
    manager.send(geofenceCalls.add, { name: `Wrong ${Math.random()}`, deptId: bank.id, shape: 'circle', ...BERLIN, radius: 1000, ...more });
  const refused = async (more: object) => (await sent(more)).body?.fields ?? {};
  expect(await refused({ radius: null })).toHaveProperty('radius');
  expect(await refused({ radius: 20 })).toHaveProperty('radius');
  expect(await refused({ lat: null })).toHaveProperty('lat');
  expect(await refused({ lat: 91 })).toHaveProperty('lat');
  expect(await refused({ shape: 'polygon', area: '' })).toHaveProperty('area');
  expect(await refused({ shape: 'polygon', area: '0,0;1,1' })).toHaveProperty('area');
  expect(await refused({ shape: 'polygon', area: '0,0;1,1;1,0;0,1' })).toMatchObject({ area: { key: 'invalid.areaCrossed' } });
  expect(await refused({ audience: 'devices', deviceIds: [] })).toHaveProperty('deviceIds');
  expect(await refused({ audience: 'groups' })).toHaveProperty('groupIds');
  expect(await refused({ escalateMinutes: 5 })).toHaveProperty('escalateIds');
  const [foreign = 0] = await bench.terminals(bench.other, 1);
  expect((await sent({ audience: 'devices', deviceIds: [foreign] })).code).toBe(404);
  await makeFence(manager, bank.id, { name: 'Twice' });
  expect(await refused({ name: 'twice' })).toMatchObject({ name: { key: 'fault.GEOFENCE_NAME_TAKEN' } });
  expect((await bench.outsider.call(geofenceCalls.page, {})).content).toEqual([]);
  expect((await bench.outsider.call(geofenceAlarmCalls.page, {})).content).toEqual([]);
});
