import { deviceCalls } from '@mooring/contract/device/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import { productShareCalls } from '@mooring/contract/product/share-calls';
import { emptyModel } from '@mooring/contract/product/thing-model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let owner: Client;
let admin: Client;
let centre: Client;
let receiver: Client;
let below: Client;
let third: Client;
let east: Awaited<ReturnType<TestApp['dept']>>;
let west: typeof east;
let shop: typeof east;
beforeAll(async () => {
  app = await testApp();
  [east, west] = [await app.dept('East Bank'), await app.dept('West Bank')];
  shop = await app.dept('West Shop', west);
  owner = await app.person('platformAdmin', east, 'manager');
  admin = await app.person('platformAdmin', app.root, 'manager');
  centre = await app.person('platformAdmin', app.root);
  receiver = await app.person('platformAdmin', west, 'manager');
  below = await app.person('orgManager', shop);
  third = await app.person('orgManager', await app.dept('North Bank'), 'manager');
});
afterAll(() => app.stop());

const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
let made = 0;
const product = () => owner.call(productCalls.add, { code: `SH${++made}`, name: `Shared ${made}`, category: 'smartPos', publish: true });
const share = (id: number, ...deptIds: number[]) => admin.send(productShareCalls.share, { id, deptIds });
const offered = async (who: Client, text: string) => (await who.call(productCalls.list, { text })).length;

test('a shared product is read and used by who receives it and below, changed by its owner alone, and hidden from others', async () => {
  const { id, name } = await product();
  const model = { ...emptyModel, events: [{ id: 'fell', name: 'Fell', level: 'info' as const, params: [] }] };
  const draft = await owner.call(productModelCalls.save, { productId: id, seen: null, model });
  expect([await offered(receiver, name), await offered(below, name), await offered(third, name)]).toEqual([0, 0, 0]);
  expect((await share(id, west.id)).body).toEqual({ shared: 1 });
  expect((await share(id, west.id)).body).toEqual({ shared: 0 });
  expect([await offered(receiver, name), await offered(below, name), await offered(third, name)]).toEqual([1, 1, 0]);
  expect(await receiver.call(productCalls.detail, { id })).toMatchObject({ isShared: true, deptName: 'East Bank', allowedActions: [] });
  expect(await owner.call(productCalls.detail, { id })).toMatchObject({ isShared: false });
  expect(await receiver.call(productModelCalls.detail, { id: draft.id })).toMatchObject({ model });
  const change = { id, name: 'Mine', category: 'smartPos' };
  expect(await faultOf(receiver.send(productCalls.update, change))).toBe('NOT_FOUND');
  expect(await faultOf(receiver.send(productCalls.unpublish, { id }))).toBe('NOT_FOUND');
  expect(await faultOf(receiver.send(productModelCalls.save, { productId: id, seen: 1, model: emptyModel }))).toBe('NOT_FOUND');
  expect(await faultOf(receiver.send(productShareCalls.share, { id, deptIds: [shop.id] }))).toBe('NOT_FOUND');
  expect(await faultOf(receiver.send(productShareCalls.unshare, { id, deptId: west.id }))).toBe('NOT_FOUND');
});

test('each side lists the other; who is on the product’s line needs no share', async () => {
  const { id } = await product();
  await share(id, west.id);
  const rows = async (who: Client, side: 'giver' | 'receiver') =>
    (await who.call(productShareCalls.page, { criteria: { productId: id, side } })).content.map((one) => one.otherName);
  expect([await rows(owner, 'giver'), await rows(owner, 'receiver')]).toEqual([['West Bank'], []]);
  expect([await rows(receiver, 'giver'), await rows(receiver, 'receiver')]).toEqual([[], ['East Bank']]);
  expect(await faultOf(share(id, east.id))).toBe('SHARE_INSIDE');
  expect(await faultOf(share(id, app.root.id))).toBe('SHARE_INSIDE');
  expect(await faultOf(share(id, 999_999))).toBe('NOT_FOUND');
  expect(await faultOf(owner.send(productShareCalls.share, { id, deptIds: [west.id] }))).toBe('NOT_FOUND');
});

test('two who share at once write one pair; it ends for both sides, and not while the organisation has terminals of it', async () => {
  const { id, name } = await product();
  const both = await Promise.all([share(id, west.id), share(id, west.id)]);
  expect(both.map((one) => (one.body as unknown as { shared: number }).shared).sort()).toEqual([0, 1]);
  const device = await centre.call(deviceCalls.add, { sn: 'SHARED-0001', productId: id, deptId: shop.id });
  expect((await below.call(deviceCalls.page, { criteria: { productId: id } })).content).toMatchObject([{ productName: name }]);
  const end = () => admin.send(productShareCalls.unshare, { id, deptId: west.id });
  const refused = await end();
  expect([refused.body?.fault, refused.message]).toEqual(['SHARE_IN_USE', expect.stringContaining('One terminal')]);
  await centre.call(deviceCalls.delete, { of: { ids: [device.id] } });
  expect((await end()).code).toBe(200);
  expect(await faultOf(end())).toBe('NOT_FOUND');
  expect(await offered(receiver, name)).toBe(0);
  expect((await admin.call(productShareCalls.page, { criteria: { productId: id } })).content).toEqual([]);
});
