import { activeCalls } from '@mooring/contract/device/active/active-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { foldAll } from '../../stats/api.ts';
import { dropContacts } from './read-active.ts';

let app: TestApp;
let banker: Client;
let foreigner: Client;
let ids: number[] = [];
let products: number[] = [];

beforeAll(async () => {
  app = await testApp();
  const bank = await app.dept('Harbour Bank');
  banker = await app.person('orgManager', bank);
  foreigner = await app.person('orgManager', await app.dept('Meridian'));
  products = [await makeProduct(app, app.root, 'LIVE-1'), await makeProduct(app, app.root, 'LIVE-2')];
  ids = [
    ...(await makeDevices(app, bank, products[0] ?? 0, ['LIVE-A', 'LIVE-B', 'LIVE-C'], '1.0')),
    ...(await makeDevices(app, bank, products[1] ?? 0, ['LIVE-D'], '2.0')),
  ];
  await app.context.unscoped((db) => sql`update device_presence set network = 'wifi' where device_id = ${ids[0]}`.execute(db));
});
afterAll(() => app.stop());

const put = (status: '2' | '3', which: readonly number[]) =>
  app.context.unscoped((db) => sql`update device set status = ${status} where id = any(${which}::bigint[])`.execute(db));

test('who is in contact, by product, version and network', async () => {
  const whole = await banker.call(activeCalls.figures, {});
  expect(whole).toMatchObject({
    online: 4,
    total: 4,
    byProduct: [
      { productId: products[0], count: 3 },
      { productId: products[1], count: 1 },
    ],
    byVersion: [
      { version: '1.0', count: 3 },
      { version: '2.0', count: 1 },
    ],
    byNetwork: [
      { network: '', count: 3 },
      { network: 'wifi', count: 1 },
    ],
    sampled: false,
  });
  expect(await banker.call(activeCalls.figures, { productId: products[1] })).toMatchObject({ online: 1, byNetwork: [{ count: 1 }] });
});

test('who comes and goes is told, and the curve goes back from now by it', async () => {
  await put('2', ids.slice(0, 2));
  await put('3', ids.slice(0, 1));
  const { content } = await banker.call(activeCalls.changes, {});
  expect(content.map(({ sn, came }) => [sn, came])).toEqual([
    ['LIVE-A', true],
    ['LIVE-A', false],
    ['LIVE-B', false],
  ]);
  expect(new Set(content.map(({ key }) => key)).size).toBe(3);
  const erase = (at: Date | null) =>
    app.context.unscoped((db) => sql`update device set deleted_at = ${at} where id = ${ids[1]}`.execute(db));
  await erase(app.clock.now);
  expect((await banker.call(activeCalls.changes, {})).content.map(({ deviceId }) => deviceId)).toEqual([ids[0], ids[0], null]);
  await erase(null);
  // The database notes them by its own clock.
  app.clock.now = new Date();
  const { content: curve } = await banker.call(activeCalls.curve, {});
  expect(curve).toHaveLength(60);
  expect([curve[0]?.online, curve.at(-1)?.online]).toEqual([4, 3]);
  expect(curve.reduce((sum, one) => sum + one.left, 0)).toBe(2);
  expect((await banker.call(activeCalls.changes, { productId: products[1] })).content).toEqual([]);
});

test('nobody hears of another organisation’s terminals, and what is over is dropped', async () => {
  expect((await foreigner.call(activeCalls.changes, {})).content).toEqual([]);
  expect((await foreigner.call(activeCalls.figures, {})).online).toBe(0);
  expect((await foreigner.call(activeCalls.curve, {})).content.every((one) => one.came + one.left + one.online === 0)).toBe(true);
  expect((await foreigner.send(deviceCalls.detail, { id: ids[0] })).code).toBe(404);
  await app.context.unscoped((db) => sql`update device_contact set at = now() - interval '2 hours'`.execute(db));
  await app.context.unscoped(dropContacts);
  expect((await banker.call(activeCalls.changes, {})).content).toEqual([]);
  for (const productId of [0, -1, 'x']) expect((await banker.send(activeCalls.figures, { productId })).code).toBe(400);
});

test('figures are those of the sums, added up or not; nothing is counted for them', async () => {
  const online = (await banker.call(activeCalls.figures, {})).online;
  expect(online).toBeGreaterThan(0);
  await app.context.unscoped((db) => sql`delete from device_tally`.execute(db));
  for (const folded of [false, true]) {
    if (folded) await app.context.unscoped((db) => foldAll(db, app.clock.now));
    const figures = await banker.call(activeCalls.figures, {});
    expect([figures.online, figures.byProduct.reduce((sum, one) => sum + one.count, 0)]).toEqual([online, online]);
    expect((await banker.call(activeCalls.curve, {})).content.at(-1)?.online).toBe(online);
  }
});
