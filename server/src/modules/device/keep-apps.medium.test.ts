import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import type { DeptAt } from '../org/api.ts';
import { handleHello } from './handle-hello.ts';
import { timerWheel } from './timer-wheel.ts';

let app: TestApp;
let owner: DeptAt;
let other: DeptAt;
let manager: Client;
let outsider: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  other = await app.dept('Other bank');
  manager = await app.person('orgManager', owner);
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
interface Said {
  readonly id: string;
  readonly code?: number;
}
let words = 0;
async function hello(sn: string, apps: readonly Said[], more: object = {}): Promise<void> {
  const [device] = await run(sql<{ id: number }>`select id from device where sn = ${sn}`);
  words += 1;
  const receivedAt = new Date(app.clock.now.getTime() + words);
  const data = {
    product: 'A920',
    firmware: '1.0',
    agent: 'x',
    capabilities: ['softApp'],
    timeZone: 'UTC',
    apps: apps.map((one) => ({ ...one, name: `App ${one.id}`, version: `${one.code ?? 'old'}` })),
    ...more,
  };
  const message = { sn, deviceId: device?.id, deptPath: owner.path, id: `h-${words}`, at: receivedAt, receivedAt, data };
  await app.context.unscoped((db) => handleHello(timerWheel()).handle(db, [message as unknown as UpMessage], app.context));
}
async function terminal(sn: string, apps: readonly Said[]): Promise<string> {
  await makeDevices(app, owner, productId, [sn]);
  await hello(sn, apps);
  return sn;
}

test('apps follow what the terminal says: written when they change, gone when it names them no more', async () => {
  const sn = await terminal('SN000001', [{ id: 'com.bank.pay', code: 3 }, { id: 'com.bank.tip' }]);
  const rows = () =>
    run(sql<{ package_name: string; code: number | null; since: Date }>`
      select a.package_name, a.version_code as code, a.since from device_app a join device d on d.id = a.device_id where d.sn = ${sn} order by 1`);
  const first = await rows();
  expect(first).toMatchObject([
    { package_name: 'com.bank.pay', code: 3 },
    { package_name: 'com.bank.tip', code: null },
  ]);
  await hello(sn, [
    { id: 'com.bank.pay', code: 3 },
    { id: 'com.bank.new', code: 1 },
    { id: 'com.bank.new', code: 2 },
  ]);
  expect(await rows()).toMatchObject([
    { package_name: 'com.bank.new', code: 2 },
    { package_name: 'com.bank.pay', code: 3, since: first[0]?.since },
  ]);
  await hello(sn, []);
  expect(await rows()).toEqual([]);
});

test('how many apps there are in all is kept as it is said, and forgotten when it isn’t said any more', async () => {
  const sn = await terminal('SN000011', [{ id: 'com.bank.pay', code: 3 }]);
  const inAll = () => run(sql<{ n: number | null }>`select apps_in_all as n from device where sn = ${sn}`).then(([row]) => row?.n);
  expect(await inAll()).toBe(null);
  await hello(sn, [{ id: 'com.bank.pay', code: 3 }], { appsInAll: 2 });
  expect(await inAll()).toBe(2);
  await hello(sn, [{ id: 'com.bank.pay', code: 3 }], { appsInAll: Number.MAX_SAFE_INTEGER });
  expect(await inAll()).toBe(Number.MAX_SAFE_INTEGER);
  await hello(sn, [{ id: 'com.bank.pay', code: 3 }]);
  expect(await inAll()).toBe(null);
});

test('apps go with their terminal, are found in the list, and are named to nobody else', async () => {
  const low = await terminal('SN000002', [{ id: 'com.find.me', code: 4 }]);
  const high = await terminal('SN000003', [{ id: 'com.find.me', code: 9 }]);
  const found = async (client: Client, criteria: object) =>
    (await client.call(deviceCalls.page, { criteria })).content.map((row) => row.sn).toSorted();
  expect(await found(manager, { app: 'com.find.me' })).toEqual([low, high]);
  expect(await found(manager, { app: 'com.find.me', appBelow: '9' })).toEqual([low]);
  expect(await found(outsider, { app: 'com.find.me' })).toEqual([]);
  expect(await manager.call(deviceCalls.apps, { text: 'find' })).toEqual([{ packageName: 'com.find.me', name: 'App com.find.me' }]);
  expect(await outsider.call(deviceCalls.apps, { text: 'find' })).toEqual([]);
  await run(sql`update device set dept_id = ${other.id}, dept_path = ${other.path} where sn = ${low}`);
  expect(await found(outsider, { app: 'com.find.me' })).toEqual([low]);
  await run(sql`update device set deleted_at = now() where sn = ${high}`);
  expect(await manager.call(deviceCalls.apps, { text: 'find' })).toEqual([]);
  const fault = async (criteria: object) => (await manager.send(deviceCalls.page, { criteria })).body?.fault;
  expect(await fault({ app: 'no package' })).toBe('BAD_INPUT');
  expect(await fault({ appBelow: '-1' })).toBe('BAD_INPUT');
});
