import { deviceCalls } from '@mooring/contract/device/calls';
import { mapCalls } from '@mooring/contract/device/map/map-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../../test/test-app.ts';
import { foldMap } from './fold-map.ts';

let app: TestApp;
let productId = 0;
const WORLD = { south: -85, west: -180, north: 85, east: 180 };

beforeAll(async () => {
  app = await testApp();
  productId = await makeProduct(app, app.root, 'BELOW');
});
afterAll(() => app.stop());

test('an organisation and all below it, from the sums and from the terminals; one that is none of theirs holds nothing', async () => {
  const bankToo = await app.dept('Bay Bank');
  const foreign = await app.dept('Meridian');
  const branch = await app.dept('Bay Branch', bankToo);
  const beside = await app.dept('Bay Beside', bankToo);
  const [one = 0] = await makeDevices(app, bankToo, productId, ['BAY-1']);
  const [two = 0] = await makeDevices(app, branch, productId, ['BAY-2']);
  const [three = 0] = await makeDevices(app, beside, productId, ['BAY-3']);
  await app.context.unscoped((db) =>
    sql`update device_place set lat = 60.17, lon = 24.94, source = 'gps' where device_id in (${one}, ${two}, ${three})`.execute(db),
  );
  const manager = await app.person('orgManager', bankToo);
  const counted = async (criteria: InputOf<typeof mapCalls.figures>['criteria']) => {
    const [{ placed }, seen] = [
      await manager.call(mapCalls.figures, { criteria }),
      await manager.call(mapCalls.view, { box: WORLD, zoom: 2, criteria }),
    ];
    const listed = await manager.call(deviceCalls.page, { criteria });
    return [placed.total, seen.terminals.length, listed.total];
  };
  // As differences first, then added up.
  for (const step of [async () => undefined, () => app.context.unscoped(foldMap)]) {
    await step();
    for (const more of [{}, { productId }, { text: 'BAY' }]) {
      expect(await counted({ below: bankToo.id, ...more })).toEqual([3, 3, 3]);
      expect(await counted({ below: branch.id, ...more })).toEqual([1, 1, 1]);
      expect(await counted({ deptId: bankToo.id, ...more })).toEqual([1, 1, 1]);
      for (const below of [foreign.id, 1, 999_999]) expect(await counted({ below, ...more })).toEqual([0, 0, 0]);
    }
  }
});
