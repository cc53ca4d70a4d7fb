import { mapCalls } from '@mooring/contract/device/map/map-calls';
import { positionCalls } from '@mooring/contract/device/position/position-calls';
import { DEGREE } from '@mooring/contract/geofence/outline';
import { homeCalls } from '@mooring/contract/stats/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UpMessage } from '../../../platform/gateway/message.ts';
import { BERLIN, geofenceBench, makeFence } from '../../geofence/geofence.factory.ts';
import { clockwork } from '../../stats/stats.factory.ts';
import { beatHandlers } from '../beat-handlers.ts';
import { loseDevices } from '../lose-devices.ts';
import { foldMap } from '../map/fold-map.ts';

/**
 * A fleet goes through a city for a week, from a Monday on. What it knows of itself is told beside: tracks, alarms of the fence, the map and the first
 * screen have to say the same.
 */
const STEP = 30;
const STEPS = (7 * 24 * 60) / STEP;
const HEARTBEAT_SECONDS = STEP * 60;
const DAY = 24;
/** What a terminal does, and how many of them there are. */
const kinds = { still: 8, courier: 8, stolen: 3, edge: 4, silent: 3, sleeper: 4 } as const;
type Kind = keyof typeof kinds;

interface Place {
  readonly lat: number;
  readonly lon: number;
}
const at = (north: number, east: number): Place => ({
  lat: BERLIN.lat + north / DEGREE,
  lon: BERLIN.lon + east / (DEGREE * Math.cos((BERLIN.lat * Math.PI) / 180)),
});
/** Metres between places of one city. */
const between = (a: Place, b: Place): number =>
  Math.hypot((a.lat - b.lat) * DEGREE, (a.lon - b.lon) * DEGREE * Math.cos((BERLIN.lat * Math.PI) / 180));

/** Where one is at a step; nowhere while it says nothing. The fence is a kilometre around the middle. */
function placeOf(kind: Kind, n: number, step: number): Place | undefined {
  const hours = (step * STEP) / 60;
  const [day, hour] = [Math.floor(hours / DAY), hours % DAY];
  const wobble = 15 * Math.sin(step * 7 + n);
  const home = at(100 + 50 * n, wobble);
  if (kind === 'courier' && day < 5 && hour >= 9 && hour < 17) return at(3000 + 250 * n, 400 * (step % 8));
  if (kind === 'stolen' && hours >= 3 * DAY + 14) return at(2500 + 300 * Math.min(20, step - (3 * DAY + 14) * (60 / STEP)), 200 * n);
  if (kind === 'edge') return at(1000 + 60 * Math.sin(step * 3 + n), 0);
  if (kind === 'silent' && day >= 5) return undefined;
  if (kind === 'sleeper' && (hour >= 20 || hour < 7)) return undefined;
  return home;
}

let bench: Awaited<ReturnType<typeof geofenceBench>>;
interface Terminal {
  readonly id: number;
  readonly kind: Kind;
  readonly n: number;
  /** What it knows of itself. */
  readonly points: { readonly at: number; readonly place: Place }[];
  last: number;
}
const terminals: Terminal[] = [];
let monday = 0;
const ACCURACY = 10;

beforeAll(async () => {
  bench = await geofenceBench();
  const { app, bank, productId } = bench;
  const day = new Date(`${app.clock.now.toISOString().slice(0, 10)}T00:00:00Z`);
  monday = day.getTime() + ((8 - day.getUTCDay()) % 7) * 86_400_000;
  app.clock.now = new Date(monday);
  await app.context.unscoped((db) =>
    sql`update product_product set heartbeat_seconds = ${HEARTBEAT_SECONDS}, silent_hours = 24 where id = ${productId}`.execute(db),
  );
  for (const [kind, count] of Object.entries(kinds) as [Kind, number][])
    for (const [n, id] of (await bench.terminals(bank, count)).entries()) terminals.push({ id, kind, n, points: [], last: 0 });
});
afterAll(() => bench.app.stop());

const HOUR = 3_600_000;
/** A point is kept of whoever moved a hundred metres, and each six hours of whoever stays (`keep-positions.ts`). */
function remember(one: Terminal, now: number, place: Place): void {
  const before = one.points.at(-1);
  if (!before || now - before.at >= 6 * HOUR || between(before.place, place) > 100) one.points.push({ at: now, place });
  one.last = now;
}
const of = (kind: Kind) => terminals.filter((one) => one.kind === kind);

test('tracks, alarms, the map and the first screen agree with what the fleet knows of itself', async () => {
  const { app, bank, manager, look } = bench;
  const [beat, fences] = beatHandlers(() => undefined);
  const jobs = clockwork(() => app);
  const fence = await makeFence(manager, bank.id, { name: 'City' });
  for (let step = 0; step < STEPS; step += 1) {
    const now = monday + step * STEP * 60_000;
    app.clock.now = new Date(now);
    const said = terminals.flatMap((one) => {
      const place = placeOf(one.kind, one.n, step);
      if (place) remember(one, now, place);
      return place
        ? [{ deviceId: one.id, deptPath: bank.path, data: { battery: 80, position: { ...place, accuracy: ACCURACY, source: 'gps' } } }]
        : [];
    }) as unknown as UpMessage[];
    const context = { ...app.context, now: () => app.clock.now };
    for (const handler of [beat, fences]) await app.context.unscoped(async (db) => void (await handler?.handle(db, said, context)));
    await loseDevices(context as never);
    await look();
    if (step % 2 === 1) for (const work of [jobs.look, jobs.sample, jobs.fold]) await work();
  }
  while (await app.context.unscoped(foldMap));

  // Who was stolen is out; couriers were, each working day, and came back. Whoever stands on the line never was.
  const alarms = await bench.alarmsOf('City');
  const about = (one: Terminal) => alarms.filter((alarm) => alarm.deviceId === one.id);
  const opened = (one: Terminal) => about(one).map((alarm) => [(new Date(alarm.openedAt).getTime() - monday) / HOUR, alarm.state]);
  for (const one of of('courier')) expect(opened(one)).toEqual([0, 1, 2, 3, 4].map((day) => [day * DAY + 9.5, 'closed']));
  for (const one of of('stolen')) expect(opened(one)).toEqual([[3 * DAY + 14.5, 'open']]);
  expect(alarms).toHaveLength(of('courier').length * 5 + of('stolen').length);
  expect((await bench.standsOf(fence.id)).filter(({ state }) => state === 'outside').map((row) => row.device_id)).toEqual(
    of('stolen').map(({ id }) => id),
  );

  // Each way as it was gone.
  for (const one of terminals) {
    const range = { from: new Date(monday).toISOString(), to: new Date(monday + 7 * 24 * HOUR).toISOString() };
    const way = await manager.call(positionCalls.way, { id: one.id, ...range });
    expect([one.kind, one.n, way.total]).toEqual([one.kind, one.n, one.points.length]);
    const page = await manager.call(positionCalls.track, { criteria: { deviceId: one.id }, page: { size: 1 } });
    const [newest] = page.content;
    expect(newest && between(newest, one.points.at(-1)?.place ?? BERLIN)).toBeLessThan(1);
  }

  // The map has all of them, each where it was last.
  expect((await manager.call(mapCalls.figures, {})).placed.total).toBe(terminals.length);
  const corner = [at(-1500, -1500), at(1500, 1500)] as const;
  const box = { south: corner[0].lat, west: corner[0].lon, north: corner[1].lat, east: corner[1].lon };
  const city = terminals.filter((one) => between(one.points.at(-1)?.place ?? at(9999, 0), BERLIN) < 1500);
  expect((await manager.call(mapCalls.view, { box, zoom: 15 })).shown).toBe(city.length);
  expect(city).toHaveLength(terminals.length - of('stolen').length);

  // The first screen: who spoke within three heartbeats is online, who has for a day not is silent.
  const end = app.clock.now.getTime();
  const isOnline = ({ last }: Terminal) => end - last < 3 * HEARTBEAT_SECONDS * 1000;
  const online = terminals.filter(isOnline).length;
  const fleet = await manager.call(homeCalls.fleet, {});
  expect([fleet.total, fleet.byStatus['3'], fleet.attention.silent]).toEqual([terminals.length, online, of('silent').length]);
  const curve = await manager.call(homeCalls.online, { days: '7' });
  expect(curve.now).toBe(online);
  expect(online).toBe(terminals.length - of('silent').length - of('sleeper').length);
}, 240_000);
