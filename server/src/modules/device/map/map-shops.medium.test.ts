import { MOST_SHOPS, mapCalls } from '@mooring/contract/device/map/map-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../../test/test-app.ts';
import { makeMerchant, makeShop } from '../../merchant/merchant.factory.ts';

let app: TestApp;
const WORLD = { south: -85, west: -180, north: 85, east: 180 };

beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('shops in view of one’s own, merchants where no shop of theirs stands, over the date line, and none where there are too many', async () => {
  const bank = await app.dept('Harbour Bank');
  const admin = await app.person('platformAdmin', app.root);
  const banker = await app.person('orgManager', bank);
  const foreigner = await app.person('orgManager', await app.dept('Meridian'));
  const fiji = { lat: -16.8, lon: 179.99 };
  const tonga = { lat: -16.9, lon: -179.99 };
  const merchant = await makeMerchant(banker, bank.id, { name: 'Isle Foods', ...fiji });
  const shop = await makeShop(banker, merchant.id, { name: 'Isle Foods Quay', ...fiji });
  await makeShop(banker, merchant.id, { name: 'Nowhere' });
  const alone = await makeMerchant(banker, bank.id, { name: 'Reef Café', ...tonga });
  const productId = await makeProduct(app, app.root, 'SHOPS');
  const [device = 0] = await makeDevices(app, bank, productId, ['SHOPS-1', 'SHOPS-2']);
  await app.context.unscoped((db) =>
    sql`update device set merchant_id = ${merchant.id}, shop_id = ${shop.id} where id = ${device}`.execute(db),
  );
  const seen = async (box: typeof WORLD, client = banker) => {
    const { shops, tooMany } = await client.call(mapCalls.shops, { box });
    return tooMany ? 'too many' : shops.map(({ kind, id, terminals }) => `${kind} ${id}: ${terminals}`);
  };
  const [quay, reef] = [`shop ${shop.id}: 1`, `merchant ${alone.id}: 0`];
  const around = { south: -17, west: 179.9, north: -16, east: -179.9 };
  expect(await seen(around)).toEqual([quay, reef]);
  expect(await seen({ ...around, east: 180 })).toEqual([quay]);
  expect(await seen({ ...around, west: -180 })).toEqual([reef]);
  // The squares that are read reach around the view; what isn't in it isn't told.
  expect(await seen({ ...around, south: -16.85 })).toEqual([quay]);
  expect(await seen(WORLD, admin)).toEqual([quay, reef]);
  expect(await seen(WORLD, foreigner)).toEqual([]);
  await app.context.unscoped((db) =>
    sql`
      insert into merchant_shop (merchant_id, number, name, lat, lon, dept_id, dept_path)
      select ${merchant.id}, 'N' || n, 'N' || n, 40 + n * 0.001, 3, ${bank.id}, ${bank.path} from generate_series(1, 3000) n`.execute(db),
  );
  expect(await seen(WORLD)).toBe('too many');
  expect(await seen(around)).toEqual([quay, reef]);
  const street = { south: 40.0005, west: 2.9, north: 40.0005 + MOST_SHOPS * 0.001, east: 3.1 };
  expect(await seen(street)).toHaveLength(MOST_SHOPS);
  expect(await seen({ ...street, north: street.north + 0.001 })).toBe('too many');
  const { code } = await banker.send(mapCalls.shops, { box: { ...around, north: -20 } });
  expect(code).not.toBe(200);
});
