import { deviceCalls } from '@mooring/contract/device/calls';
import { regCalls } from '@mooring/contract/device/reg-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import { productShareCalls } from '@mooring/contract/product/share-calls';
import { emptyModel } from '@mooring/contract/product/thing-model';
import { makeDeviceKeys } from '@mooring/terminal/device-keys';
import { enrol } from '@mooring/terminal/enrolment';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePackage } from '../../../test/firmware.ts';
import { lockWaits } from '../../../test/lock-waits.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { freePort } from '../../platform/free-port.ts';
import { productToChange } from './model-rows.ts';
import { lockShares } from './usable-at.ts';

let app: TestApp;
let server: string;
let owner: Client;
let admin: Client;
let centre: Client;
let receiver: Client;
let below: Client;
let third: Client;
let east: Awaited<ReturnType<TestApp['dept']>>;
let west: typeof east;
let shop: typeof east;
let north: typeof east;
beforeAll(async () => {
  app = await testApp({ realClock: true });
  const port = await freePort();
  await app.http.listen({ host: '127.0.0.1', port });
  server = `http://127.0.0.1:${port}`;
  [east, west] = [await app.dept('East Bank'), await app.dept('West Bank')];
  shop = await app.dept('West Shop', west);
  north = await app.dept('North Bank');
  owner = await app.person('platformAdmin', east, 'manager');
  admin = await app.person('platformAdmin', app.root, 'manager');
  centre = await app.person('platformAdmin', app.root);
  receiver = await app.person('platformAdmin', west, 'manager');
  below = await app.person('orgManager', shop);
  third = await app.person('orgManager', north, 'manager');
});
afterAll(() => app.stop());

const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
let made = 0;
const product = () => owner.call(productCalls.add, { code: `SH${++made}`, name: `Shared ${made}`, category: 'smartPos', publish: true });
const share = (id: number, ...deptIds: number[]) => admin.send(productShareCalls.share, { id, deptIds });
const shareOf = async (productId: number) =>
  (await admin.call(productShareCalls.page, { criteria: { productId, side: 'giver' } })).content[0]?.id ?? 0;
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
  expect(await faultOf(receiver.send(productShareCalls.unshare, { id, shareId: 1 }))).toBe('NOT_FOUND');
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
  const shareId = await shareOf(id);
  const end = () => admin.send(productShareCalls.unshare, { id, shareId });
  const refused = await end();
  expect([refused.body?.fault, refused.message]).toEqual(['SHARE_IN_USE', expect.stringContaining('Terminals: 1')]);
  // Deleted, it may be restored.
  await centre.call(deviceCalls.delete, { of: { ids: [device.id] } });
  expect(await faultOf(end())).toBe('SHARE_IN_USE');
  await app.context.unscoped((db) => sql`delete from device where id = ${device.id}`.execute(db));
  expect((await end()).code).toBe(200);
  expect(await faultOf(end())).toBe('NOT_FOUND');
  expect(await offered(receiver, name)).toBe(0);
  expect((await admin.call(productShareCalls.page, { criteria: { productId: id } })).content).toEqual([]);
});

test('terminals enrol as a shared product where it was shared, by a code or a rule, and nowhere else', async () => {
  const { id, code: productCode } = await product();
  await share(id, west.id);
  const ask = async (sn: string, code?: string) => {
    const got = await enrol({ server, sn, keys: makeDeviceKeys(), product: productCode, ...(code ? { code } : {}) });
    return got.state === 'refused' ? got.error : got.state;
  };
  for (const dept of [west, shop]) {
    const { code } = await centre.call(regCalls.code, { deptId: dept.id, productId: id, maxUses: 2 });
    expect(await ask(`WCODE-${dept.id}`, code)).toBe('enrolled');
  }
  const elsewhere = await centre.call(regCalls.code, { deptId: north.id, productId: id, maxUses: 1 });
  expect(await ask('NCODE-1', elsewhere.code)).toBe('PRODUCT_UNKNOWN');
  const rule = (deptId: number, snPrefix: string) =>
    centre.send(regCalls.ruleAdd, { name: snPrefix, snPrefix, productId: id, deptId, onlyExpected: false });
  expect((await rule(west.id, 'WRULE')).code).toBe(200);
  expect(await faultOf(rule(north.id, 'NRULE'))).toBe('BAD_INPUT');
  await centre.call(deviceCalls.add, { sn: 'WRULE-1', productId: id, deptId: west.id });
  expect(await ask('WRULE-1')).toBe('enrolled');
  // Its maker's line has no say in a rule of who received it: a terminal that nobody knows is noted beside the rule.
  expect(await ask('WRULE-2')).toBe('asking');
  const asking = (await centre.call(regCalls.page, { criteria: { sn: 'WRULE-2' } })).content;
  expect(asking).toMatchObject([{ rule: expect.stringContaining('WRULE') }]);
});

test('a share stays while a code, a rule, a package or an open release needs it', async () => {
  const { id } = await product();
  await share(id, west.id);
  const shareId = await shareOf(id);
  const end = () => admin.send(productShareCalls.unshare, { id, shareId });
  const code = await centre.call(regCalls.code, { deptId: shop.id, productId: id, maxUses: 1 });
  expect((await end()).message).toContain('enrolment codes: 1');
  await centre.call(regCalls.codeWithdraw, { id: code.id });
  const rule = await centre.call(regCalls.ruleAdd, { name: 'Use', snPrefix: 'USEDBY', productId: id, deptId: west.id });
  expect((await end()).message).toContain('rules: 1');
  await centre.call(regCalls.ruleDelete, { id: rule.id });
  await app.context.unscoped((db) => sql`update product_product set package_kinds = '{firmware}' where id = ${id}`.execute(db));
  const packageId = await makePackage(app, await app.person('platformAdmin', west), west, id, '1.0.0');
  expect((await end()).message).toContain('packages: 1');
  await app.context.unscoped((db) => sql`update rollout_package set deleted_at = now() where product_id = ${id}`.execute(db));
  const release = {
    kind: 'firmware',
    name: 'Theirs',
    product_id: id,
    package_id: packageId,
    release_scope: '1',
    scope: '{}',
    delivery: '{}',
    dept_id: west.id,
  };
  const task = await app.context.unscoped((db) =>
    db
      .insertInto('rollout_task')
      .values({ ...release, dept_path: west.path, created_by: centre.userId, created_by_name: 'Centre' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  expect((await end()).message).toContain('releases: 1');
  await app.context.unscoped((db) => db.deleteFrom('rollout_task').where('id', '=', task.id).execute());
  expect((await end()).code).toBe(200);
});

test('a terminal is not added of a product whose share is being ended', async () => {
  const { id } = await product();
  await share(id, west.id);
  let settled = false;
  const added = await app.context.unscoped(async (db) => {
    await lockShares(db, id);
    await db.deleteFrom('product_share').where('product_id', '=', id).execute();
    const asked = receiver.send(deviceCalls.add, { sn: 'RACED-0001', productId: id, deptId: west.id }).finally(() => {
      settled = true;
    });
    while (!settled && (await lockWaits(db)) === 0);
    return { asked };
  });
  expect(await faultOf(added.asked)).toBe('PRODUCT_UNPUBLISHED');
});

test('a share goes with its receiver into another organisation, once, and can be ended there', async () => {
  const { id, name } = await product();
  const [source, target] = [await app.dept('Bought Bank', await app.dept('Old Group')), await app.dept('Buying Bank')];
  await share(id, source.id);
  await centre.call(deptCalls.merge, { id: source.id, into: target.id });
  await app.runJobs();
  expect(await share(id, target.id)).toMatchObject({ body: { shared: 0 } });
  const { content } = await admin.call(productShareCalls.page, { criteria: { productId: id, side: 'giver' } });
  expect(content).toMatchObject([{ otherId: target.id, otherName: 'Buying Bank' }]);
  expect((await admin.send(productShareCalls.unshare, { id, shareId: content[0]?.id })).code).toBe(200);
  const heir = await app.person('platformAdmin', target, 'manager');
  expect(await offered(heir, name)).toBe(0);
});

test('terminals are added while the thing model of their product is being written', async () => {
  const { id } = await product();
  await app.context.unscoped(async (db) => {
    await productToChange({ db, scope: { path: app.root.path } }, id);
    const added = await centre.send(deviceCalls.add, { sn: 'WRITTEN-0001', productId: id, deptId: east.id });
    expect(added.code).toBe(200);
  });
});
