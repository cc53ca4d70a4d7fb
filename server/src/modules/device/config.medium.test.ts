import { deviceCalls } from '@mooring/contract/device/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';

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
