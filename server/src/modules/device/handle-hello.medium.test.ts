import { deviceCalls } from '@mooring/contract/device/calls';
import { upMessages } from '@mooring/contract/device/messages';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { handleHello } from './handle-hello.ts';
import { timerWheel } from './timer-wheel.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('a word that was overtaken by a later one, taken by another server, changes nothing', async () => {
  const owner = await app.dept('Bank');
  const [deviceId = 0] = await makeDevices(app, owner, await makeProduct(app, app.root), ['SN000001']);
  const start = Date.now();
  const publish = (firmware: string, seconds: number, order?: number) => {
    const receivedAt = new Date(start + seconds * 1000);
    const data = { product: 'P', firmware, agent: 'x', capabilities: [], timeZone: 'UTC', session: firmware, order };
    const hello = { sn: 'SN000001', deviceId, deptPath: owner.path, id: firmware, at: receivedAt, receivedAt, data };
    return app.context.unscoped((db) => handleHello(timerWheel()).handle(db, [hello as unknown as UpMessage], app.context));
  };
  const known = async () =>
    (
      await app.context.unscoped((db) =>
        sql<object>`select d.firmware, p.session, p.connected_at from device d join device_presence p on p.device_id = d.id where d.id = ${deviceId}`.execute(
          db,
        ),
      )
    ).rows[0];
  await publish('1.0', 1);
  await publish('2.0', 5);
  await publish('1.5', 3);
  expect(await known()).toEqual({ firmware: '2.0', session: '2.0', connected_at: new Date(start + 5000) });
  await publish('2.1', 6);
  expect(await known()).toMatchObject({ firmware: '2.1' });
  // The terminal's own order counts for more than when a word comes: a broker that was killed brings old ones again.
  await publish('3.0', 7, 30);
  await publish('2.9', 8, 29);
  expect(await known()).toMatchObject({ firmware: '3.0' });
  await publish('3.1', 6, 31);
  expect(await known()).toMatchObject({ firmware: '3.1' });
});

test('another SIM than before is an event, once; a first one, or none, is not', async () => {
  const owner = await app.dept('Bank of SIMs');
  const [deviceId = 0] = await makeDevices(app, owner, await makeProduct(app, app.root), ['SN000002']);
  let order = 0;
  const found = async (iccid: string | undefined) => {
    const receivedAt = new Date();
    order += 1;
    const data = { product: 'P', firmware: '1', agent: 'x', capabilities: [], timeZone: 'UTC', session: 's', order, iccid };
    const hello = { sn: 'SN000002', deviceId, deptPath: owner.path, id: `h${order}`, at: receivedAt, receivedAt, data };
    const events = await app.context.unscoped((db) => handleHello(timerWheel()).handle(db, [hello as unknown as UpMessage], app.context));
    return (events ?? []).map((one) => ({ deviceId: one.deviceId, ...one.data }));
  };
  expect(await found('89860000000000000001')).toEqual([]);
  expect(await found('89860000000000000001')).toEqual([]);
  expect(await found('89860000000000000002')).toEqual([
    { deviceId, name: 'simChanged', level: 'warning', params: { from: '89860000000000000001', to: '89860000000000000002' } },
  ]);
  expect(await found(undefined)).toEqual([]);
  expect(await found('89860000000000000002')).toEqual([]);
});

test('its screen is known as it says it, and stays known where it says none', async () => {
  const owner = await app.dept('Bank of screens');
  const manager = await app.person('orgManager', owner);
  const [deviceId = 0] = await makeDevices(app, owner, await makeProduct(app, app.root), ['SN000003']);
  let order = 0;
  const known = async (screen: object | undefined) => {
    const receivedAt = new Date();
    order += 1;
    const data = upMessages.hello.parse({
      product: 'P',
      firmware: '1',
      agent: `x${order}`,
      capabilities: [],
      timeZone: 'UTC',
      order,
      screen,
    });
    const hello = { sn: 'SN000003', deviceId, deptPath: owner.path, id: `s${order}`, at: receivedAt, receivedAt, data };
    await app.context.unscoped((db) => handleHello(timerWheel()).handle(db, [hello as unknown as UpMessage], app.context));
    return (await manager.call(deviceCalls.detail, { id: deviceId })).screen;
  };
  expect(await known(undefined)).toBeNull();
  expect(await known({ width: 720, height: 1280, dpi: 320 })).toEqual({ width: 720, height: 1280 });
  expect(await known(undefined)).toEqual({ width: 720, height: 1280 });
  expect(await known({ width: 1280, height: 800 })).toEqual({ width: 1280, height: 800 });
});
