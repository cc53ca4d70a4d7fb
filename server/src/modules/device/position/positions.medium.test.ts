import { deviceCalls } from '@mooring/contract/device/calls';
import { areaOf } from '@mooring/contract/device/map/area';
import { mapCalls } from '@mooring/contract/device/map/map-calls';
import { positionCalls } from '@mooring/contract/device/position/position-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { lockWaits } from '../../../../test/lock-waits.ts';
import { makePlaces } from '../../../../test/places.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { Db } from '../../../platform/context.ts';
import type { UpMessage } from '../../../platform/gateway/message.ts';
import type { DeptAt } from '../../org/api.ts';
import { handleBeats } from '../handle-beat.ts';
import { handleHello } from '../handle-hello.ts';
import { foldMap } from '../map/fold-map.ts';
import { timerWheel } from '../timer-wheel.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
let banker: Client;
let foreigner: Client;
let ids: number[] = [];
let productId = 0;
const [BERLIN, PARIS] = [
  { lat: 52.52, lon: 13.405 },
  { lat: 48.8566, lon: 2.3522 },
];
const WORLD = { south: -85, west: -180, north: 85, east: 180 };

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Harbour Bank');
  admin = await app.person('platformAdmin', app.root);
  banker = await app.person('orgManager', bank);
  foreigner = await app.person('orgManager', await app.dept('Meridian'));
  productId = await makeProduct(app, app.root, 'PLACE-1');
  ids = await makeDevices(
    app,
    bank,
    productId,
    [1, 2, 3, 4, 5].map((n) => `PLACE-${n}`),
  );
});
afterAll(() => app.stop());

const later = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};
type Position = { lat: number; lon: number; accuracy?: number; source?: string };
const beats = (...of: readonly [deviceId: number, position: Position | undefined][]) =>
  app.context.unscoped((db) =>
    handleBeats(timerWheel()).handle(
      db,
      of.map(([deviceId, position]) => ({ deviceId, deptPath: bank.path, data: { position } }) as unknown as UpMessage),
      { ...app.context, now: () => app.clock.now },
    ),
  );
const view = (client: Client, input: Partial<InputOf<typeof mapCalls.view>> = {}) =>
  client.call(mapCalls.view, { box: WORLD, zoom: 2, ...input });
const figures = (client: Client, criteria: InputOf<typeof mapCalls.figures>['criteria'] = {}) =>
  client.call(mapCalls.figures, { criteria });
const track = async (client: Client, id: number) =>
  (await client.call(positionCalls.track, { criteria: { deviceId: id }, page: { order: 'asc', size: 100 } })).content;
const fold = async () => {
  while (await app.context.unscoped(foldMap));
};

test('a point is kept when a terminal has moved, once a minute at most, and now and then while it stays', async () => {
  const [id = 0] = ids;
  await beats([id, { ...BERLIN, accuracy: 20, source: 'gps' }]);
  later(1);
  // 20 m further: where it was.
  await beats([id, { lat: BERLIN.lat + 0.0002, lon: BERLIN.lon, accuracy: 20, source: 'gps' }]);
  expect(await track(banker, id)).toHaveLength(1);
  later(1);
  await beats([id, { lat: BERLIN.lat + 0.01, lon: BERLIN.lon, source: 'wifi' }]);
  // Another place within the same minute leaves nothing.
  await beats([id, { lat: BERLIN.lat + 0.5, lon: BERLIN.lon, source: 'wifi' }]);
  expect((await track(banker, id)).map((one) => [one.lat, one.source])).toEqual([
    [BERLIN.lat, 'gps'],
    [BERLIN.lat + 0.01, 'wifi'],
  ]);
  later(2);
  // So uncertain that it may be where it was.
  await beats([id, { lat: BERLIN.lat + 0.02, lon: BERLIN.lon, accuracy: 5000, source: 'cell' }]);
  // A beat without a position says nothing new.
  later(7 * 60);
  await beats([id, undefined]);
  expect(await track(banker, id)).toHaveLength(2);
  await beats([id, { ...BERLIN, source: 'gps' }]);
  expect(await track(banker, id)).toHaveLength(3);
  const { now } = await banker.call(positionCalls.detail, { id });
  expect(now).toMatchObject({ ...BERLIN, source: 'gps', accuracy: null });
  // What isn't kept is its newest word all the same, with its own source and accuracy.
  const next = { lat: BERLIN.lat + 0.5, lon: BERLIN.lon, accuracy: 50, source: 'wifi' };
  await beats([id, next]);
  expect((await banker.call(positionCalls.detail, { id })).now).toMatchObject({ ...next, at: app.clock.now.toISOString() });
});

test('the first word of a terminal counts, and of two batches at once one keeps the point', async () => {
  const [id = 0] = await makeDevices(app, bank, productId, ['HELLO-1']);
  const hello = { product: 'P', firmware: '1.0', agent: 'x', capabilities: [], timeZone: 'UTC', position: { ...PARIS, accuracy: 30 } };
  const receivedAt = app.clock.now;
  await app.context.unscoped((db) =>
    handleHello(timerWheel()).handle(
      db,
      [{ sn: 'HELLO-1', deviceId: id, deptPath: bank.path, id: 'h', at: receivedAt, receivedAt, data: hello } as unknown as UpMessage],
      { ...app.context, now: () => app.clock.now },
    ),
  );
  expect((await banker.call(positionCalls.detail, { id })).now).toMatchObject({ ...PARIS, source: 'unknown', accuracy: 30 });
  expect((await view(banker, { criteria: { text: 'HELLO' } })).terminals).toMatchObject([{ sn: 'HELLO-1', ...PARIS }]);
  later(2);
  await Promise.all([1, 2, 3].map(() => beats([id, { ...BERLIN, source: 'gps' }])));
  expect(await track(banker, id)).toHaveLength(2);
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where id = ${id}`.execute(db));
});

test('a terminal without a word of its own stands where its shop does, and where the merchant does', async () => {
  const [, , , fourth = 0, fifth = 0] = ids;
  const { merchant, shop } = await makePlaces(app, bank, 'BAKERY');
  expect(await banker.call(positionCalls.detail, { id: fourth })).toEqual({ now: null, nowhere: 'notTold' });
  await banker.call(merchantCalls.assign, { of: { ids: [fourth, fifth] }, merchantId: merchant, shopId: shop });
  expect((await banker.call(positionCalls.detail, { id: fourth })).nowhere).toBe('shopWithout');
  const put = (table: 'merchant_merchant' | 'merchant_shop', id: number, lat: number | null, lon: number | null) =>
    app.context.unscoped((db) => db.updateTable(table).set({ lat, lon }).where('id', '=', id).execute());
  await put('merchant_merchant', merchant, 40.4, -3.7);
  expect((await banker.call(positionCalls.detail, { id: fourth })).now).toMatchObject({
    lat: 40.4,
    source: 'merchant',
    placeName: 'BAKERY',
  });
  await put('merchant_shop', shop, 41.3, 2.1);
  expect((await banker.call(positionCalls.detail, { id: fourth })).now).toMatchObject({ lat: 41.3, source: 'shop' });
  // What it says itself counts for more, whatever the shop does then.
  await beats([fourth, { ...PARIS, source: 'gps' }]);
  await put('merchant_shop', shop, 10, 10);
  expect((await banker.call(positionCalls.detail, { id: fourth })).now).toMatchObject({ ...PARIS, source: 'gps' });
  await put('merchant_shop', shop, null, null);
  await put('merchant_merchant', merchant, null, null);
  expect((await banker.call(positionCalls.detail, { id: fifth })).now).toBeNull();
});

test('few stand on the map one by one; the figures are the same before and after they are added up', async () => {
  const [, second = 0, third = 0] = ids;
  later(2);
  await beats([second, { lat: BERLIN.lat + 0.01, lon: BERLIN.lon, source: 'gps' }], [third, { ...PARIS, source: 'gps' }]);
  for (const folded of [false, true]) {
    if (folded) await fold();
    const seen = await view(banker);
    expect(seen.terminals.map((one) => one.sn)).toEqual(['PLACE-1', 'PLACE-2', 'PLACE-3', 'PLACE-4']);
    const counted = await figures(banker);
    expect([counted.placed.total, counted.unplaced.total]).toEqual([4, 1]);
    // Nobody stands outside of what the map opens on.
    for (const { extent } of [counted, await figures(banker, { text: 'PLACE' })])
      for (const { lat, lon } of [BERLIN, PARIS]) {
        expect([(extent?.south ?? 90) <= lat, (extent?.north ?? -90) >= lat]).toEqual([true, true]);
        expect([(extent?.west ?? 180) <= lon, (extent?.east ?? -180) >= lon]).toEqual([true, true]);
      }
    // Beside the view there may be some in the same squares.
    expect(seen.shown).toBe(4);
    expect((await view(banker, { box: { south: 48.9, west: 2.36, north: 48.95, east: 2.4 }, zoom: 5 })).shown).toBe(0);
    const paris = await view(banker, { box: { south: 48, west: 2, north: 49, east: 3 }, zoom: 9 });
    expect(paris.terminals.map((one) => one.sn)).toEqual(['PLACE-3', 'PLACE-4']);
    expect((await view(banker, { criteria: { text: 'PLACE-3' } })).terminals.map((one) => one.sn)).toEqual(['PLACE-3']);
    expect((await figures(banker, { status: '2' })).placed.total).toBe(0);
    expect((await view(banker, { criteria: { status: '3' } })).terminals).toHaveLength(4);
  }
});

test('many are drawn together, by state, at their middle; deeper each stands apart', async () => {
  const sns = Array.from({ length: 300 }, (_, n) => `CROWD-${n}`);
  const many = await makeDevices(app, bank, productId, sns);
  await app.context.unscoped((db) =>
    sql`update device_place set lat = 60 + (device_id % 2) * 0.001, lon = 25, source = 'gps' where device_id = any(${many}::bigint[])`.execute(
      db,
    ),
  );
  await banker.call(deviceCalls.disable, { of: { ids: many.slice(0, 100) } });
  for (const folded of [false, true]) {
    if (folded) await fold();
    const [crowd] = (await view(banker)).clusters;
    expect(crowd).toMatchObject({ count: 300, byStatus: { '3': 200, '4': 100 } });
    expect(crowd?.lat).toBeCloseTo(60.0005, 4);
    const inCell = await banker.call(deviceCalls.page, { criteria: { cell: crowd?.cell } });
    expect(inCell.total).toBe(300);
    const deep = await view(banker, { box: { south: 59.99, west: 24.99, north: 60.01, east: 25.01 }, zoom: 19 });
    expect(deep.clusters.reduce((sum, one) => sum + one.count, 0)).toBe(300);
    expect(deep.clusters).toHaveLength(2);
    expect((await view(banker, { criteria: { text: 'CROWD' } })).clusters[0]?.count).toBe(300);
  }
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where id = any(${many}::bigint[])`.execute(db));
  await fold();
  expect((await figures(banker)).placed.total).toBe(4);
  const left = await app.context.unscoped((db) =>
    sql<{ n: number }>`select count(*)::int as n from device_map_cell where n = 0`.execute(db),
  );
  expect(left.rows[0]?.n).toBe(0);
});

test('an outline on the map is a filter of the list, and so is where nothing stands', async () => {
  const around = (lat: number, lon: number) =>
    areaOf([
      [lat - 0.5, lon - 0.5],
      [lat + 0.5, lon - 0.5],
      [lat + 0.5, lon + 0.5],
      [lat - 0.5, lon + 0.5],
    ]);
  const named = async (client: Client, criteria: InputOf<typeof deviceCalls.page>['criteria']) =>
    (await client.call(deviceCalls.page, { criteria, page: { sort: 'sn', order: 'asc' } })).content.map((one) => one.sn);
  expect(await named(banker, { area: around(BERLIN.lat, BERLIN.lon) })).toEqual(['PLACE-1', 'PLACE-2']);
  expect(await named(banker, { area: around(0, 0) })).toEqual([]);
  expect(await named(banker, { placed: false })).toEqual(['PLACE-5']);
  expect(await named(foreigner, { area: around(BERLIN.lat, BERLIN.lon) })).toEqual([]);
  // Across the date line it is what lies within, not the rest of the world.
  for (const area of ['40,170;60,170;60,-170;40,-170', '40,-170;60,-170;60,170;40,170']) expect(await named(banker, { area })).toEqual([]);
  const [far = 0, near = 0] = await makeDevices(app, bank, productId, ['DATE-1', 'DATE-2']);
  await beats([far, { lat: -17.7, lon: 179.9, source: 'gps' }], [near, { lat: -17.7, lon: -179.9, source: 'gps' }]);
  for (const area of ['-20,170;-10,170;-10,-170;-20,-170', '-20,-170;-10,-170;-10,170;-20,170'])
    expect(await named(banker, { area })).toEqual(['DATE-1', 'DATE-2']);
  expect(
    await named(banker, {
      area: areaOf([
        [-20, -180],
        [-10, -180],
        [-10, 180],
        [-20, 180],
      ]),
    }),
  ).toEqual(['DATE-1', 'DATE-2']);
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where id in (${far}, ${near})`.execute(db));
  for (const area of ['80,0;80,120;80,-120', '', '1,1', '1,1;2,2', '95,0;1,1;2,2', '1,1;2,2;NaN,0', `${'1,1;'.repeat(200)}1,1`])
    expect((await banker.send(deviceCalls.page, { criteria: { area } })).code, area).toBe(400);
  for (const cell of ['x', '21.0', '2.16', '1.-1', '12'])
    expect((await banker.send(deviceCalls.page, { criteria: { cell } })).code, cell).toBe(400);
});

test('nobody sees another organisation’s points', async () => {
  const [id = 0] = ids;
  const seen = await view(foreigner);
  const counted = await figures(foreigner);
  expect([seen.terminals, seen.clusters, counted.placed.total, counted.extent]).toEqual([[], [], 0, null]);
  expect((await foreigner.send(positionCalls.detail, { id })).code).toBe(404);
  expect((await foreigner.send(positionCalls.way, { id, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' })).code).toBe(404);
  expect(await track(foreigner, id)).toEqual([]);
  expect((await view(admin)).terminals.length).toBe(4);
});

test('a unit that moves takes its terminals along, on the map of those above it too', async () => {
  const [from, to] = [await app.dept('North'), await app.dept('South')];
  const below = await app.dept('Below', from);
  const [id = 0] = await makeDevices(app, below, productId, ['MOVER-1']);
  await beats([id, { lat: -33.86, lon: 151.2, source: 'gps' }]);
  const [north, south] = [await app.person('orgManager', from), await app.person('orgManager', to)];
  await fold();
  expect([(await figures(north)).placed.total, (await figures(south)).placed.total]).toEqual([1, 0]);
  await admin.call(deptCalls.move, { id: below.id, parentId: to.id });
  await app.runJobs();
  await fold();
  expect([(await figures(north)).placed.total, (await figures(south)).placed.total]).toEqual([0, 1]);
  expect((await view(south)).terminals.map((one) => one.sn)).toEqual(['MOVER-1']);
  // What it told before it came stays with who had it then.
  expect(await track(south, id)).toEqual([]);
});

test('a view that is none is refused; over the date line it is one', async () => {
  for (const box of [
    { ...WORLD, south: 91 },
    { ...WORLD, south: 10, north: 0 },
    { ...WORLD, west: Number.NaN },
    { ...WORLD, east: 181 },
  ])
    expect((await banker.send(mapCalls.view, { box, zoom: 2 })).code).toBe(400);
  for (const zoom of [-1, 99]) expect((await banker.send(mapCalls.view, { box: WORLD, zoom })).code).toBe(400);
  const [id = 0] = ids;
  later(2);
  await beats([id, { lat: -17.7, lon: 179.9, source: 'gps' }]);
  const seen = await view(banker, { box: { south: -30, west: 170, north: 0, east: -170 }, zoom: 4 });
  expect(seen.terminals.map((one) => one.sn)).toEqual(['PLACE-1']);
});

test('many terminals in one statement take as long each as few, whatever the statement before changed', async () => {
  const took = await app.context.unscoped(async (db) => {
    const made = await sql<{ id: number }>`
      insert into device (sn, name, status, product_id, dept_id, dept_path)
      select 'MANY-' || n, 'MANY-' || n, '2', ${productId}, ${bank.id}, ${bank.path} from generate_series(1, 8000) n returning id`.execute(
      db,
    );
    const many = made.rows.map(({ id }) => id);
    await sql`update device set status = '3' where id = -1`.execute(db);
    const timed = async (which: readonly number[]) => {
      const before = performance.now();
      await sql`update device set status = case status when '2' then '3' else '2' end where id = any(${which}::bigint[])`.execute(db);
      return performance.now() - before;
    };
    // The quickest of three: what else the machine does only ever adds.
    const quickest = async (which: readonly number[]) => Math.min(await timed(which), await timed(which), await timed(which));
    const [few, all] = [await quickest(many.slice(0, 500)), await quickest(many)];
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from device_place p join device d on d.id = p.device_id where d.id = any(${many}::bigint[]) and p.status = d.status`.execute(
      db,
    );
    await sql`delete from device where id = any(${many}::bigint[])`.execute(db);
    return { ratio: all / few, followed: rows[0]?.n };
  });
  expect(took.followed).toBe(8000);
  // Sixteen times as many; held each against each it would be 256 times.
  expect(took.ratio).toBeLessThan(80);
});

test('whose another a terminal is now sees where it is from then on, not where it stood before', async () => {
  const other = await app.dept('Lighthouse');
  const [moved = 0, stocked = 0, placed = 0] = await makeDevices(app, bank, productId, ['GONE-1', 'GONE-2', 'GONE-3']);
  const { merchant, shop } = await makePlaces(app, bank, 'KIOSK');
  await app.context.unscoped((db) => sql`update merchant_shop set lat = 41, lon = 2 where id = ${shop}`.execute(db));
  await beats([moved, { ...BERLIN, source: 'gps' }], [stocked, { ...BERLIN, source: 'gps' }], [placed, { ...BERLIN, source: 'gps' }]);
  await admin.call(deviceCalls.move, { of: { ids: [moved] }, deptId: other.id });
  await app.context.unscoped((db) => sql`update device set status = '5' where id = ${stocked}`.execute(db));
  await banker.call(merchantCalls.assign, { of: { ids: [placed] }, merchantId: merchant, shopId: shop });
  const keeper = await app.person('orgManager', other);
  expect((await keeper.call(positionCalls.detail, { id: moved })).now).toBeNull();
  expect((await keeper.call(deviceCalls.detail, { id: moved })).health.lat).toBeNull();
  expect((await figures(keeper)).placed.total).toBe(0);
  expect((await banker.call(positionCalls.detail, { id: stocked })).now).toBeNull();
  expect((await banker.call(positionCalls.detail, { id: placed })).now).toMatchObject({ lat: 41, source: 'shop' });
  // Its next word counts at once, though it stands where it stood.
  await beats([moved, { ...BERLIN, source: 'gps' }]);
  expect((await keeper.call(positionCalls.detail, { id: moved })).now).toMatchObject({ ...BERLIN, source: 'gps' });
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where id in (${moved}, ${stocked}, ${placed})`.execute(db));
});

/** Two transactions at once: the first has done its part before the second begins, and ends a moment later. */
async function overlapping(first: (db: Db) => Promise<unknown>, second: (db: Db) => Promise<unknown>): Promise<void> {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const one = app.context.unscoped(async (db) => {
    await first(db);
    begun.resolve();
    await over.promise;
  });
  await begun.promise;
  let isDone = false;
  const other = app.context.unscoped(second).finally(() => {
    isDone = true;
  });
  // Until it waits for the first, or is through.
  while (!isDone && (await app.context.unscoped(lockWaits)) === 0);
  over.resolve();
  await Promise.all([one, other]);
}

test('a shop that moves while a terminal comes to it takes it along', async () => {
  const { merchant, shop } = await makePlaces(app, bank, 'TENT');
  const [first = 0, second = 0] = await makeDevices(app, bank, productId, ['TENT-1', 'TENT-2']);
  const put = (lat: number) => (db: Db) => sql`update merchant_shop set lat = ${lat}, lon = 2 where id = ${shop}`.execute(db);
  const come = (id: number) => (db: Db) => sql`update device set merchant_id = ${merchant}, shop_id = ${shop} where id = ${id}`.execute(db);
  await overlapping(come(first), put(41));
  expect((await banker.call(positionCalls.detail, { id: first })).now).toMatchObject({ lat: 41, source: 'shop' });
  await overlapping(put(42), come(second));
  for (const id of [first, second]) expect((await banker.call(positionCalls.detail, { id })).now).toMatchObject({ lat: 42 });
  // Its merchant gets a place as the shop loses its own.
  await overlapping(
    (db) => sql`update merchant_shop set lat = null, lon = null where id = ${shop}`.execute(db),
    (db) => sql`update merchant_merchant set lat = 43, lon = 3 where id = ${merchant}`.execute(db),
  );
  for (const id of [first, second])
    expect((await banker.call(positionCalls.detail, { id })).now).toMatchObject({ lat: 43, source: 'merchant' });
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where id in (${first}, ${second})`.execute(db));
});

test('a heartbeat of a terminal that somebody holds neither waits with its place nor loses its contact', async () => {
  const [id = 0] = await makeDevices(app, bank, productId, ['HELD-1']);
  await app.context.unscoped((db) => sql`update device_presence set online = false where device_id = ${id}`.execute(db));
  await app.context.unscoped((db) => sql`update device set status = '2' where id = ${id}`.execute(db));
  const beat = (db: Db) =>
    handleBeats(timerWheel()).handle(
      db,
      [{ deviceId: id, deptPath: bank.path, data: { position: { ...PARIS, source: 'gps' } } } as unknown as UpMessage],
      { ...app.context, now: () => app.clock.now },
    );
  // As the rewriting of paths does it: the terminal first, then its place.
  await overlapping(async (db) => {
    await sql`select from device where id = ${id} for update`.execute(db);
  }, beat);
  expect((await banker.call(positionCalls.detail, { id })).now).toMatchObject(PARIS);
  await app.context.unscoped((db) => sql`update device set deleted_at = now() where id = ${id}`.execute(db));
});
