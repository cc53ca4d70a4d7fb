import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookNow, makeReceiver } from '../alert/alert.factory.ts';
import { BERLIN, formOf, type GeofenceBench, geofenceBench, makeFence, north } from './geofence.factory.ts';

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

test('an organisation that is moved away takes its terminals out of the fences of those that were above it', async () => {
  const yard = await app.dept('Yard', bank);
  const [told = 0, due = 0] = await bench.terminals(yard, 2);
  const fence = await makeFence(manager, bank.id, { name: 'Far', tellEnd: true });
  await bench.leave(yard, [told]);
  await look();
  expect(await alarmsOf('Far')).toMatchObject([{ state: 'open' }]);
  await bench.leave(yard, [due]);
  const admin = await app.person('platformAdmin', app.root);
  await admin.call(deptCalls.move, { id: yard.id, parentId: bench.other.id });
  await app.runJobs();
  await look(1);
  // A gateway may hold what was so before the move.
  await bench.leave(yard, [told, due]);
  await look(1);
  expect(await bench.standsOf(fence.id)).toEqual([]);
  expect(await alarmsOf('Far')).toEqual([]);
  const all = await app.context.unscoped((db) =>
    sql<{ state: string; reason: string; tell_at: Date | null }>`
      select state, reason, tell_at from alert_alarm where device_id = any(${[told, due]}::bigint[])`.execute(db),
  );
  expect(all.rows).toEqual(Array(2).fill({ state: 'closed', reason: 'notFor', tell_at: null }));
});

test('below the same fence a terminal takes its open alarm and where it stands along', async () => {
  const [from, to] = [await app.dept('From', bank), await app.dept('To', bank)];
  const [id = 0] = await bench.terminals(from, 1);
  const fence = await makeFence(manager, bank.id, { name: 'Along' });
  await bench.leave(from, [id]);
  await look();
  await app.context.unscoped((db) => sql`update device set dept_id = ${to.id}, dept_path = ${to.path} where id = ${id}`.execute(db));
  await look(1);
  expect(await alarmsOf('Along')).toMatchObject([{ state: 'open', deptName: 'To' }]);
  expect(await bench.standsOf(fence.id)).toMatchObject([{ device_id: id, state: 'outside' }]);
  for (let n = 0; n < 2; n += 1) await bench.say(to, [id], BERLIN);
  await look();
  expect(await alarmsOf('Along')).toMatchObject([{ state: 'closed', reason: 'back' }]);
});

test('in a merge fences and their rules keep one name, and alarms stay open', async () => {
  const into = await app.dept('Into', bank);
  const from = await app.dept('From two', bank);
  const [id = 0] = await bench.terminals(from, 1);
  await makeFence(manager, into.id, { name: 'Twin' });
  const fence = await makeFence(manager, from.id, { name: 'Twin' });
  await bench.leave(from, [id]);
  await look();
  const admin = await app.person('platformAdmin', app.root);
  await admin.call(deptCalls.merge, { id: from.id, into: into.id });
  await app.runJobs();
  const names = await app.context.unscoped((db) =>
    sql<{ fence: string; rule: string }>`
      select f.name as fence, r.name as rule from geofence f join alert_rule r on r.id = f.rule_id where f.id = ${fence.id}`.execute(db),
  );
  expect(names.rows).toEqual([{ fence: `Twin-${fence.id}`, rule: `Twin-${fence.id}` }]);
  await look(1);
  expect(await alarmsOf('Twin')).toMatchObject([{ state: 'open', deptName: 'Into' }]);
});

test('a chosen terminal that is deleted or goes away is no longer chosen, and the fence may be edited', async () => {
  const [stays = 0, deleted = 0, moved = 0] = await bench.terminals(branch, 3);
  const made = await makeFence(manager, bank.id, { name: 'Chosen', audience: 'devices', deviceIds: [stays, deleted, moved] });
  await app.context.unscoped(async (db) => {
    await sql`update device set deleted_at = now() where id = ${deleted}`.execute(db);
    await sql`update device set dept_id = ${bench.other.id}, dept_path = ${bench.other.path} where id = ${moved}`.execute(db);
  });
  const now = await manager.call(geofenceCalls.detail, { id: made.id });
  expect(now.deviceIds).toEqual([stays]);
  expect(await manager.call(geofenceCalls.update, { ...formOf(now), name: 'Chosen too' })).toMatchObject({ deviceIds: [stays] });
});

test('around another shop or none a terminal stands to the fence anew', async () => {
  const [other = 0, moves = 0, none = 0] = await bench.terminals(bank, 3);
  const ids = [other, moves, none];
  const made = (number: string, { lat, lon }: { lat: number; lon: number }) =>
    app.context.unscoped(async (db) => {
      const { rows } = await sql<{ id: number }>`insert into merchant_merchant (number, name, kind, lat, lon, dept_id, dept_path)
        values (${number}, ${number}, 'retail', ${lat}, ${lon}, ${bank.id}, ${bank.path}) returning id`.execute(db);
      return rows[0]?.id ?? 0;
    });
  const [first, second, third] = [await made('S-1', BERLIN), await made('S-2', BERLIN), await made('S-3', north(3000))];
  const put = (id: number, merchant: number | null) =>
    app.context.unscoped((db) => sql`update device set merchant_id = ${merchant} where id = ${id}`.execute(db));
  for (const id of [other, none]) await put(id, first);
  await put(moves, second);
  const fence = await makeFence(manager, bank.id, { name: 'Own shop', shape: 'shop', radius: 200, audience: 'devices', deviceIds: ids });
  await bench.leave(bank, ids);
  await look();
  expect(await alarmsOf('Own shop')).toHaveLength(3);
  await put(other, third);
  await put(none, null);
  await app.context.unscoped((db) =>
    sql`update merchant_merchant set lat = ${north(3000).lat}, lon = ${north(3000).lon} where id = ${second}`.execute(db),
  );
  await look(1);
  expect((await alarmsOf('Own shop')).map(({ state, reason }) => [state, reason])).toEqual(Array(3).fill(['closed', 'notFor']));
  await bench.say(bank, ids, north(3000));
  expect(await bench.standsOf(fence.id)).toMatchObject([
    { device_id: other, state: 'inside' },
    { device_id: moves, state: 'inside' },
  ]);
});

test('a test from a fence reaches its receivers; nobody of another organisation sends one, nor is one sent to nobody', async () => {
  const { id: receivers } = await makeReceiver(manager, bank.id);
  const heard = await makeFence(manager, bank.id, { name: 'Heard', receiverIds: [receivers] });
  expect(await manager.call(geofenceCalls.test, { id: heard.id })).toEqual({ people: 0, unseen: 0, mails: 1, webhooks: [] });
  const unheard = await makeFence(manager, bank.id, { name: 'Unheard' });
  expect((await manager.send(geofenceCalls.test, { id: unheard.id })).body).toMatchObject({ fault: 'ALERT_RULE_UNHEARD' });
  const outsider = await app.person('orgManager', bench.other);
  expect((await outsider.send(geofenceCalls.test, { id: heard.id })).code).toBe(404);
});

test('while nobody takes it on an alarm of a fence is told again, and in quiet hours as the fence says', async () => {
  const [id = 0] = await bench.terminals(bank, 1);
  const { id: receivers } = await makeReceiver(manager, bank.id);
  const fence = await makeFence(manager, bank.id, { name: 'Repeating', receiverIds: [receivers], repeatHours: 2 });
  const told = async (minutes = 0) => {
    app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
    await lookNow(app);
    const { rows } = await app.context.unscoped((db) =>
      sql<{ n: number }>`select count(*)::int as n from mail_message where subject like '%Repeating%'`.execute(db),
    );
    return rows[0]?.n;
  };
  await bench.leave(bank, [id]);
  await look();
  expect(await told()).toBe(1);
  expect(await told(119)).toBe(1);
  expect(await told(1)).toBe(2);
  // At every hour but one minute of it, and urgent: told all the same, until the fence says otherwise.
  const quiet = { priority: '1', quietFrom: '00:00', quietTo: '23:59' } as const;
  const through = await manager.call(geofenceCalls.update, { ...formOf({ ...fence, ...quiet }), id: fence.id, revision: fence.revision });
  expect(await told(120)).toBe(3);
  await manager.call(geofenceCalls.update, {
    ...formOf({ ...through, quietThrough: false }),
    id: fence.id,
    revision: through.revision,
  });
  expect(await told(120)).toBe(3);
  const wrong = { ...formOf(fence), repeatHours: 169, id: fence.id, revision: through.revision + 1 };
  expect((await manager.send(geofenceCalls.update, wrong)).code).toBe(400);
});
