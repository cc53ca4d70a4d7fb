import { deviceCalls } from '@mooring/contract/device/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { handleHello } from './handle-hello.ts';
import { timerWheel } from './timer-wheel.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
let banker: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root, 'manager');
  banker = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root, 'CONF-1');
});
afterAll(() => app.stop());

let count = 0;
const add = async () =>
  (await banker.call(deviceCalls.add, { sn: `CONF${String(++count).padStart(4, '0')}`, productId, deptId: bank.id })).id;
const configOf = async (id: number) => (await banker.call(deviceCalls.detail, { id })).config;

test('a new terminal begins with what its product says; one that is here keeps its own', async () => {
  const early = await add();
  const { id, revision, name, category, ...rest } = await admin.call(productCalls.detail, { id: productId });
  const config = { volume: 7, 'wifi.ssid': 'Till', sleep: false };
  const { code: _code, publishStatus: _state, ...more } = rest as Record<string, unknown>;
  const written = ['firmId', 'industry', 'networks', 'packageKinds', 'heartbeatSeconds', 'remark'].map((key) => [key, more[key]]);
  const change = { id, revision, name, category, ...Object.fromEntries(written), config };
  expect((await admin.call(productCalls.update, change as never)).config).toEqual(config);
  expect((await admin.send(productCalls.update, { ...change, config: { Bad: 1 } } as never)).body?.fields).toHaveProperty(['config.Bad']);
  expect(await configOf(early)).toEqual({ revision: 0, reported: null, values: {} });
  expect(await configOf(await add())).toEqual({ revision: 1, reported: null, values: config });
});

test('of two who change settings from the same page the second is told; wrong ones change nothing', async () => {
  const id = await add();
  const { revision } = await configOf(id);
  await banker.call(deviceCalls.setConfig, { id, revision, values: { volume: 1 } });
  expect((await banker.send(deviceCalls.setConfig, { id, revision, values: { volume: 2 } })).code).toBe(409);
  for (const values of [
    { '': 1 },
    { 'a b': 1 },
    { A: 1 },
    { a: null },
    { a: 'x'.repeat(1001) },
    Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, at])),
  ])
    expect(await faultOf(banker.send(deviceCalls.setConfig, { id, values } as never))).toBe('BAD_INPUT');
  expect(await configOf(id)).toMatchObject({ revision: revision + 1, values: { volume: 1 } });
  const { rows } = {
    rows: await app.context.unscoped((db) => db.selectFrom('gateway_outbox').select('key').where('device_id', '=', id).execute()),
  };
  expect(rows).toEqual([{ key: `cfg-${id}-${revision + 1}` }]);
});

test('settings of many: those that are named change, the others stay; who has them already is named, foreign ones aren’t reached', async () => {
  const [one, two, full] = [await add(), await add(), await add()];
  const most = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, at]));
  const change = { of: { ids: [one, two, full] }, values: { volume: 3, greeting: 'Hello' }, remove: ['sleep'] };
  await banker.call(deviceCalls.setConfig, { id: one, values: { sleep: true, 'wifi.ssid': 'Till' } });
  await banker.call(deviceCalls.setConfig, { id: two, values: { volume: 3, greeting: 'Hello' } });
  await banker.call(deviceCalls.setConfig, { id: full, values: most });
  const before = await Promise.all([one, two, full].map(configOf));
  const failed = [
    { id: two, fault: 'CONFIG_SAME' },
    { id: full, fault: 'CONFIG_SAME' },
  ];
  expect(await banker.call(deviceCalls.setConfigMany, { ...change, preview: true })).toMatchObject({ total: 3, refused: 2, failed });
  expect(await Promise.all([one, two, full].map(configOf))).toEqual(before);
  expect(await banker.call(deviceCalls.setConfigMany, change)).toMatchObject({ done: 1, refused: 2, failed });
  expect(await configOf(one)).toMatchObject({
    revision: (before[0]?.revision ?? 0) + 1,
    values: { volume: 3, greeting: 'Hello', 'wifi.ssid': 'Till' },
  });
  const told = await app.context.unscoped((db) =>
    db.selectFrom('gateway_outbox').select(['key', 'data']).where('device_id', '=', one).orderBy('id', 'desc').executeTakeFirst(),
  );
  expect(told).toMatchObject({ data: { values: { volume: 3, 'wifi.ssid': 'Till' } } });
  for (const wrong of [{ values: {}, remove: [] }, { values: { sleep: true } }, { values: { Bad: 1 } }, { remove: ['No name'] }])
    expect((await banker.send(deviceCalls.setConfigMany, { ...change, ...wrong })).code).toBe(400);
  const other = await app.person('orgManager', await app.dept('Rival'));
  expect(await other.call(deviceCalls.setConfigMany, change)).toMatchObject({ total: 0, done: 0 });
});

test('of two who change settings of the same terminals at once neither is lost', async () => {
  const ids = [await add(), await add(), await add()];
  const put = (values: Record<string, number>, of: number[]) => banker.call(deviceCalls.setConfigMany, { of: { ids: of }, values });
  await Promise.all([put({ volume: 9 }, ids), put({ brightness: 4 }, ids.toReversed())]);
  for (const id of ids) expect((await configOf(id)).values).toMatchObject({ volume: 9, brightness: 4 });
});

test('a terminal that reports the last revision that can be counted spoils nothing: neither its own settings nor those of others', async () => {
  const [odd, other] = [await add(), await add()];
  const change = (volume: number) => banker.call(deviceCalls.setConfigMany, { of: { ids: [odd, other] }, values: { volume } });
  let order = 0;
  const report = async (configRevision: number) => {
    order += 1;
    const hellos = [odd, other].map((deviceId) => ({
      sn: `H${deviceId}`,
      deviceId,
      deptPath: bank.path,
      id: `h${deviceId}-${order}`,
      at: new Date(),
      receivedAt: new Date(),
      data: { product: 'P', firmware: '1', agent: 'x', capabilities: [], timeZone: 'UTC', session: 's', order, configRevision },
    }));
    // Only the first of them says something odd.
    if (hellos[1]) hellos[1].data = { ...hellos[1].data, configRevision: 0 };
    await app.context.unscoped((db) => handleHello(timerWheel()).handle(db, hellos as unknown as UpMessage[], app.context));
  };
  for (const reported of [2 ** 31 - 1, 2 ** 31 - 2]) {
    await report(reported);
    expect((await change(order)).done).toBe(2);
    expect((await configOf(odd)).values).toMatchObject({ volume: order });
  }
  await report(2 ** 31 - 1);
  // As an earlier version has kept it.
  for (const kept of [sql`config_reported = 2147483647`, sql`config_reported = 2147483647, config_revision = 2147483647`]) {
    await app.context.unscoped((db) => sql`update device set ${kept} where id = ${odd}`.execute(db));
    await report(2 ** 31 - 2);
    expect((await change(10 + order)).done).toBe(2);
  }
});

test('a terminal that was away gets the newest settings alone', async () => {
  const [one, two] = [await add(), await add()];
  const messages = async () => {
    const { rows } = await app.context.unscoped((db) =>
      sql<{
        key: string;
      }>`select key from gateway_outbox where device_id = any(${[one, two]}::bigint[]) and topic = 'config' order by device_id, id`.execute(
        db,
      ),
    );
    return rows.map(({ key }) => key);
  };
  await banker.call(deviceCalls.setConfig, { id: one, values: { volume: 1 } });
  await banker.call(deviceCalls.setConfig, { id: one, values: { volume: 2 } });
  for (const volume of [3, 4]) await banker.call(deviceCalls.setConfigMany, { of: { ids: [one, two] }, values: { volume } });
  const [first, second] = [await configOf(one), await configOf(two)];
  expect(await messages()).toEqual([`cfg-${one}-${first.revision}`, `cfg-${two}-${second.revision}`]);
  // What has been answered stays.
  await app.context.unscoped((db) => sql`update gateway_outbox set state = 'done' where device_id = ${two}`.execute(db));
  await banker.call(deviceCalls.setConfigMany, { of: { ids: [one, two] }, values: { volume: 5 } });
  expect(await messages()).toHaveLength(3);
});
