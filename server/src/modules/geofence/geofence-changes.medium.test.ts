import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { geofenceCalls, MOST_EVERYWHERE } from '@mooring/contract/geofence/geofence';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { BERLIN, formOf, type GeofenceBench, geofenceBench, makeFence, north } from './geofence.factory.ts';
import { notePositions } from './note-positions.ts';

let bench: GeofenceBench;
let app: GeofenceBench['app'];
let bank: GeofenceBench['bank'];
let branch: GeofenceBench['branch'];
let manager: GeofenceBench['manager'];
let look: GeofenceBench['look'];
let alarmsOf: GeofenceBench['alarmsOf'];
beforeAll(async () => {
  bench = await geofenceBench();
  ({ app, bank, branch, manager, look, alarmsOf } = bench);
});
afterAll(() => bench.app.stop());

test('a change keeps open alarms, and only for whom the fence is no more they end', async () => {
  const [one = 0, two = 0] = await bench.terminals(branch, 2);
  const made = await makeFence(manager, bank.id, { name: 'Kept', audience: 'devices', deviceIds: [one, two] });
  await bench.leave(branch, [one, two]);
  await look();
  let now = made;
  const change = async (more: object) => {
    now = await manager.call(geofenceCalls.update, { ...formOf(now), ...more });
    await look(1);
    return (await alarmsOf('Kept'))
      .map(({ deviceId, state, reason }) => ({ deviceId, state, reason }))
      .sort((a, b) => (a.deviceId ?? 0) - (b.deviceId ?? 0));
  };
  const open = [one, two].map((deviceId) => ({ deviceId, state: 'open', reason: '' }));
  expect(await change({ deviceIds: [two, one, two] })).toEqual(open);
  expect(await change({ margin: 50, outMinutes: 5 })).toEqual(open);
  expect(await change({ radius: 1200 })).toEqual(open);
  expect(await change({ deviceIds: [one] })).toEqual([open[0], { deviceId: two, state: 'closed', reason: 'notFor' }]);
  // What is drawn now holds who has left.
  await change({ radius: 5000 });
  for (let n = 0; n < 2; n += 1) await bench.say(branch, [one], north(3000));
  await look();
  expect((await alarmsOf('Kept')).map(({ reason }) => reason).sort()).toEqual(['back', 'notFor']);
});

test('who stays outside waits by the minutes that are set now', async () => {
  const [id = 0] = await bench.terminals(bank, 1);
  const made = await makeFence(manager, bank.id, { name: 'Sooner', alarmOn: 'out', outMinutes: 60, audience: 'devices', deviceIds: [id] });
  await bench.say(bank, [id], north(5000));
  await manager.call(geofenceCalls.update, { ...formOf(made), outMinutes: 10 });
  await look(11);
  expect(await alarmsOf('Sooner')).toMatchObject([{ state: 'open', about: { n: 10 } }]);
});

test('who left the group while it waits raises no alarm, and a group that a fence is for stays', async () => {
  const [id = 0] = await bench.terminals(bank, 1);
  const group = await manager.call(deviceGroupCalls.add, { name: 'Trucks', deptId: bank.id, kind: 'static' });
  await manager.call(deviceGroupCalls.addMembers, { groupId: group.id, of: { ids: [id] } });
  const fence = await makeFence(manager, bank.id, { name: 'Trucks only', audience: 'groups', groupIds: [group.id], alarmOn: 'out' });
  await bench.say(bank, [id], north(5000));
  await manager.call(deviceGroupCalls.removeMembers, { groupId: group.id, of: { ids: [id] } });
  await look(60);
  expect(await alarmsOf('Trucks only')).toEqual([]);
  expect(await bench.standsOf(fence.id)).toEqual([]);
  expect(await manager.send(deviceGroupCalls.delete, { id: group.id })).toMatchObject({ body: { fault: 'GROUP_IN_USE' } });
  expect(await manager.call(deviceGroupCalls.detail, { id: group.id })).toMatchObject({ usedBy: 'Trucks only' });
  await manager.call(geofenceCalls.delete, { id: fence.id });
  await manager.call(deviceGroupCalls.delete, { id: group.id });
});

test('a hello that is older than the one that is known says nothing of where a terminal stands', async () => {
  const [id = 0] = await bench.terminals(bank, 1);
  const fence = await makeFence(manager, bank.id, { name: 'Old words', audience: 'devices', deviceIds: [id] });
  await app.context.unscoped((db) =>
    sql`insert into device_presence as p (device_id, hello_order) values (${id}, 5) on conflict (device_id) do update set hello_order = 5`.execute(
      db,
    ),
  );
  const hello = notePositions().find(({ kind }) => kind === 'hello');
  const hear = (order: number, more: object) => {
    const position = { ...BERLIN, accuracy: 5, source: 'gps', ...more };
    const word = { deviceId: id, deptPath: bank.path, receivedAt: app.clock.now, data: { position, order } } as unknown as UpMessage;
    return app.context.unscoped(async (db) => void (await hello?.handle(db, [word], { ...app.context, now: () => app.clock.now })));
  };
  await hear(4, {});
  expect(await bench.standsOf(fence.id)).toEqual([]);
  await hear(6, {});
  expect(await bench.standsOf(fence.id)).toMatchObject([{ state: 'inside' }]);
});

test('fences for all that wait for who stays outside are few, of an organisation and those above it', async () => {
  const top = await app.dept('Many fences');
  const below = await app.dept('Below', top);
  const person = await app.person('orgManager', top);
  const out = { alarmOn: 'out' as const };
  for (let n = 0; n < MOST_EVERYWHERE - 1; n += 1) await makeFence(person, top.id, out);
  const last = await makeFence(person, below.id, out);
  const refusal = async (sent: Promise<{ body: unknown }>) => (await sent).body;
  const add = (deptId: number) =>
    person.send(geofenceCalls.add, { name: `More ${deptId}`, deptId, shape: 'circle', ...BERLIN, radius: 1000, ...out });
  expect(await refusal(add(below.id))).toMatchObject({ fault: 'GEOFENCES_EVERYWHERE' });
  expect(await refusal(add(top.id))).toMatchObject({ fault: 'GEOFENCES_EVERYWHERE' });
  const left = await makeFence(person, below.id);
  expect(await refusal(person.send(geofenceCalls.update, { ...formOf(left), ...out }))).toMatchObject({ fault: 'GEOFENCES_EVERYWHERE' });
  expect(await person.call(geofenceCalls.update, { ...formOf(last), radius: 2000 })).toMatchObject({ radius: 2000 });
});

test('many fences for other groups leave room for those that are for a terminal', async () => {
  const [id = 0] = await bench.terminals(branch, 1);
  const group = await manager.call(deviceGroupCalls.add, { name: 'Nobody', deptId: bank.id, kind: 'static' });
  await makeFence(manager, bank.id, { name: 'Zone', audience: 'devices', deviceIds: [id] });
  await app.context.unscoped((db) =>
    sql`insert into geofence (name, shape, lat, lon, radius, audience, group_ids, dept_id, dept_path)
      select 'A' || n, 'circle', 1, 1, 100, 'groups', array[${group.id}::bigint], ${bank.id}, ${bank.path} from generate_series(1, 200) n`.execute(
      db,
    ),
  );
  expect((await manager.call(geofenceCalls.ofDevice, { deviceId: id })).map(({ name }) => name)).toEqual(['Zone']);
});

test('nobody’s change of a fence waits for another’s, and all are seen', async () => {
  const [one, two] = [await makeFence(manager, bank.id), await makeFence(manager, bank.id)];
  const change = (id: number) => sql`update geofence set settle_minutes = settle_minutes + 1 where id = ${id}`;
  const version = () =>
    app.context.unscoped(async (db) => Number((await sql<{ n: string }>`select sum(n) as n from geofence_version`.execute(db)).rows[0]?.n));
  const before = await version();
  await app.context.unscoped(async (db) => {
    await change(one.id).execute(db);
    await app.context.unscoped(async (other) => {
      await sql`set local lock_timeout = '2s'`.execute(other);
      await change(two.id).execute(other);
    });
  });
  expect(await version()).toBe(before + 2);
  await app.context.unscoped((db) => change(0).execute(db));
  await look();
  expect(await version()).toBe(before + 2);
});

test('a terminal that is disabled or comes into stock stands to no fence: its alarm ends, and none is raised that waited', async () => {
  const ids = await bench.terminals(bank, 3);
  const [shut = 0, stocked = 0, waits = 0] = ids;
  await makeFence(manager, bank.id, { name: 'Put away', audience: 'devices', deviceIds: [shut, stocked] });
  const later = await makeFence(manager, bank.id, {
    name: 'Later',
    audience: 'devices',
    deviceIds: [waits],
    alarmOn: 'out',
    outMinutes: 30,
  });
  await bench.leave(bank, ids);
  await look();
  expect((await alarmsOf('Put away')).map(({ state }) => state)).toEqual(['open', 'open']);
  await app.context.unscoped((db) => sql`update device set status = '2' where id = any(${[stocked, waits]}::bigint[])`.execute(db));
  await manager.call(deviceCalls.disable, { of: { ids: [shut] } });
  await manager.call(deviceCalls.stockIn, { of: { ids: [stocked, waits] } });
  await look(1);
  expect((await alarmsOf('Put away')).map(({ state, reason }) => [state, reason])).toEqual([
    ['closed', 'notFor'],
    ['closed', 'notFor'],
  ]);
  await bench.say(bank, [shut, stocked], north(3000));
  await look(60);
  expect([await alarmsOf('Later'), await bench.standsOf(later.id)]).toEqual([[], []]);
  expect((await alarmsOf('Put away')).map(({ state }) => state)).toEqual(['closed', 'closed']);
});
