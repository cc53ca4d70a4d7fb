import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestHouse, testHouse } from '../../../test/house.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { leaseWheel } from './lease-wheel.ts';
import { takeHello } from './take-hello.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await testHouse();
});
afterAll(() => house.stop());

test('a word that was overtaken by a later one, taken by another server, changes nothing', async () => {
  const owner = await house.dept('Bank');
  const [deviceId = 0] = await makeDevices(house, owner, await makeProduct(house, house.root), ['SN000001']);
  const start = Date.now();
  const say = (firmware: string, seconds: number, order?: number) => {
    const receivedAt = new Date(start + seconds * 1000);
    const data = { product: 'P', firmware, agent: 'x', capabilities: [], timeZone: 'UTC', session: firmware, order };
    const hello = { sn: 'SN000001', deviceId, deptPath: owner.path, id: firmware, at: receivedAt, receivedAt, data };
    return house.house.unscoped((db) => takeHello(leaseWheel()).handle(db, [hello as unknown as UpMessage], house.house));
  };
  const known = async () =>
    (
      await house.house.unscoped((db) =>
        sql<object>`select d.firmware, p.session, p.connected_at from device d join device_presence p on p.device_id = d.id where d.id = ${deviceId}`.execute(
          db,
        ),
      )
    ).rows[0];
  await say('1.0', 1);
  await say('2.0', 5);
  await say('1.5', 3);
  expect(await known()).toEqual({ firmware: '2.0', session: '2.0', connected_at: new Date(start + 5000) });
  await say('2.1', 6);
  expect(await known()).toMatchObject({ firmware: '2.1' });
  // The terminal's own order counts for more than when a word comes: a broker that was killed brings old ones again.
  await say('3.0', 7, 30);
  await say('2.9', 8, 29);
  expect(await known()).toMatchObject({ firmware: '3.0' });
  await say('3.1', 6, 31);
  expect(await known()).toMatchObject({ firmware: '3.1' });
});
