import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import type { TaskScope } from '@mooring/contract/engines/rollout/schemas';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { makeMerchant, makeShop } from '../../modules/merchant/merchant.factory.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { askedFor } from './match.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, tally, stateOf, detail, offers, subscribe } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped((db) => query.execute(db));
const some = { releaseScope: '1' as const };
async function release(merchantIds: readonly number[], delivery: object = {}, scope: object = {}): Promise<number> {
  const asked = { name: 'To merchants', packageId, scope: { ...some, merchantIds: [...merchantIds], ...scope }, delivery, release: true };
  const { id } = await admin.call(taskCalls.add, asked);
  await settle();
  return id;
}
const assign = (ids: readonly number[], merchantId: number | null, shopId: number | null = null) =>
  admin.call(merchantCalls.assign, { of: { ids: [...ids] }, merchantId, shopId });
const follow = async () => {
  await app.runJobs();
  await settle();
};
const inIt = async (taskId: number) =>
  (await run(sql<{ sn: string }>`select sn from rollout_result where task_id = ${taskId} order by sn`)).rows.map(({ sn }) => sn);
const remove = (id: number) => admin.send(merchantCalls.delete, { id });

test('a release goes to the terminals of its merchants, in whichever shop; its preview says how many', async () => {
  const [plain = '', inShop = '', elsewhere = '', nowhere = ''] = sns(4);
  const [one = 0, two = 0, three = 0] = await makeDevices(app, bank, productId, [plain, inShop, elsewhere, nowhere]);
  const [bakery, hotel, fuel] = [
    await makeMerchant(admin, bank.id),
    await makeMerchant(admin, bank.id),
    await makeMerchant(admin, bank.id),
  ];
  const shop = await makeShop(admin, hotel.id);
  await assign([one], bakery.id);
  await assign([two], hotel.id, shop.id);
  await assign([three], fuel.id);
  const scope = { ...some, merchantIds: [bakery.id, hotel.id] };
  expect(await admin.call(taskCalls.preview, { packageId, scope })).toMatchObject({ matched: 2 });
  const id = await release([bakery.id, hotel.id]);
  expect(await inIt(id)).toEqual([plain, inShop]);
  expect((await detail(id)).scope).toMatchObject({ merchantIds: [bakery.id, hotel.id] });
  // Every other condition holds as well.
  await run(sql`update device set tags = '{vip}' where id = ${three}`);
  expect(await inIt(await release([bakery.id, fuel.id], {}, { tags: ['vip'] }))).toEqual([elsewhere]);
});

test('who is assigned while it runs joins where the release takes them, and nowhere else; who leaves the merchant stays in it', async () => {
  const [first = '', second = ''] = sns(2);
  const [one = 0, two = 0] = await makeDevices(app, bank, productId, [first, second]);
  const [from, to] = [await makeMerchant(admin, bank.id), await makeMerchant(admin, bank.id)];
  await assign([one], to.id);
  await assign([two], from.id);
  const frozen = await release([to.id]);
  const open = await release([to.id], { laterMembers: true, onBusy: 'replace' });
  await assign([two], to.id);
  await follow();
  expect([await inIt(frozen), await inIt(open)]).toEqual([[first], [first, second]]);
  await assign([one, two], from.id);
  await follow();
  expect([await inIt(open), await stateOf(open)]).toEqual([[first, second], 'running']);
  const [offer] = await offers(open);
  if (!offer) throw new Error('no offer');
  await subscribe('result', offer, { outcome: 'success', version: '2.0' });
  await settle();
  expect((await tally(open))['3']).toBe(1);
});

test('a terminal that went to another organisation isn’t of its old merchant any more', async () => {
  const [sn = '', stays = ''] = sns(2);
  const ids = await makeDevices(app, bank, productId, [sn, stays]);
  const merchant = await makeMerchant(admin, bank.id);
  await assign(ids, merchant.id);
  await run(sql`update device set dept_id = ${other.id}, dept_path = ${other.path} where id = ${ids[0]}`);
  expect(await inIt(await release([merchant.id]))).toEqual([stays]);
});

test('merchants of others can be named by nobody, nor those that aren’t there', async () => {
  const manager = await app.person('orgManager', branch);
  const scope = async (at: DeptAt) => ({ ...some, merchantIds: [(await makeMerchant(admin, at.id)).id] });
  for (const each of [await scope(other), await scope(bank), { ...some, merchantIds: [2_000_000_000] }]) {
    const { name, ...asked } = { name: 'Theirs', packageId, scope: each };
    expect((await manager.send(taskCalls.preview, asked)).body?.fault).toBe('NOT_FOUND');
    expect((await manager.send(taskCalls.add, { name, ...asked })).body?.fault).toBe('NOT_FOUND');
  }
  const own = await scope(branch);
  expect(await manager.call(taskCalls.preview, { packageId, scope: own })).toMatchObject({ matched: 0 });
  expect((await admin.send(taskCalls.preview, { packageId, scope: { ...some, merchantIds: [] } })).code).toBe(400);
  expect((await admin.send(taskCalls.preview, { packageId, scope: some })).body?.fault).toBe('SCOPE_EMPTY');
});

test('a merchant that an open release is for stays, and the release is named; once it has ended it may go', async () => {
  const { id: merchantId } = await makeMerchant(admin, bank.id);
  const scope = { ...some, merchantIds: [merchantId] };
  const { id } = await admin.call(taskCalls.add, { name: 'Spring update', packageId, scope });
  const refused = await remove(merchantId);
  expect([refused.body?.fault, JSON.stringify(refused)]).toEqual(['MERCHANT_RELEASED', expect.stringContaining('Spring update')]);
  const row = await admin.call(merchantCalls.detail, { id: merchantId });
  expect([row.usedBy, row.allowedActions.includes('delete')]).toEqual(['Spring update', false]);
  await admin.call(taskCalls.delete, { id });
  expect((await admin.call(merchantCalls.detail, { id: merchantId })).usedBy).toBeNull();
  expect((await remove(merchantId)).code).toBe(200);
  expect((await admin.send(taskCalls.add, { name: 'Late', packageId, scope })).code).toBe(404);
});

test('a merchant that is deleted while a release is being written for it: one of the two is refused', async () => {
  for (let at = 0; at < 5; at += 1) {
    const { id } = await makeMerchant(admin, bank.id);
    const adding = admin.send(taskCalls.add, { name: 'Race', packageId, scope: { ...some, merchantIds: [id] } });
    const codes = (await Promise.all([adding, remove(id)])).map((one) => one.code);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
  }
});

test('why a terminal isn’t in it is said by its merchant; of another product, where its merchant is named', async () => {
  const [inside = '', left = '', strange = ''] = sns(3);
  const [one = 0, two = 0] = await makeDevices(app, bank, productId, [inside, left]);
  const [three = 0] = await makeDevices(app, bank, await makeProduct(app, app.root), [strange]);
  const merchant = await makeMerchant(admin, bank.id);
  await assign([one, three], merchant.id);
  const why = async (taskId: number, sn: string) => (await admin.call(deviceReleaseCalls.whyNot, { taskId, sn })).why;
  const [closed, open] = [await release([merchant.id]), await release([merchant.id], { laterMembers: true })];
  expect(await why(closed, left)).toEqual({ key: 'why.passed.merchants', params: { version: '1.0', advice: 'passed.copy' } });
  expect(await why(open, left)).toEqual({ key: 'why.passed.merchants', params: { version: '1.0' } });
  await assign([two], merchant.id);
  expect((await why(closed, left))?.key).toBe('why.passed.later');
  const { releases } = await admin.call(deviceReleaseCalls.passedOver, { deviceId: three });
  expect(releases.filter(({ taskId }) => taskId === closed).map((each) => each.why.key)).toEqual(['why.passed.product']);
  // Whom it goes to isn't for those below its owner.
  const manager = await app.person('orgManager', bank);
  await assign([two], null);
  expect((await manager.call(deviceReleaseCalls.whyNot, { taskId: closed, sn: left })).why?.key).toBe('why.passed.targets');
});

test('terminals of merchants are found by their index', async () => {
  const { id: merchantId } = await makeMerchant(admin, bank.id);
  const names = sns(2000);
  await makeDevices(app, bank, productId, names);
  await run(sql`update device set merchant_id = ${merchantId} where sn = any(${names.slice(0, 3)}::text[])`);
  await app.context.pools.owner.query('analyze device');
  const scope: TaskScope = { ...some, deptIds: [], firmware: [], tags: [], updatedBy: null, merchantIds: [merchantId] };
  const nothing = sql<boolean>`true`;
  const aim = {
    ...{ subject: { name: '', version: '2.0', productId }, part: '', current: sql<null>`null`, runs: sql<null>`null`, back: undefined },
    ...{ fits: nothing, withheld: [], able: nothing, onwards: false, isNewer: undefined, deptPath: app.root.path, scope, states: ['3'] },
  };
  const plan = await app.context.unscoped(async (db) =>
    sql<{ 'QUERY PLAN': string }>`explain select d.id from device d where ${await askedFor(db, aim)}`.execute(db),
  );
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('device_merchant');
});

test('a merchant is a ring of a release for others too: its terminals go first, and it stays while the release is open', async () => {
  const [early = '', late = ''] = sns(2);
  const [one = 0] = await makeDevices(app, bank, productId, [early, late]);
  const pilot = await makeMerchant(admin, bank.id);
  await assign([one], pilot.id);
  const rings = [{ merchantIds: [pilot.id], openAt: 100 }, {}];
  const asked = { packageId, scope: { releaseScope: '2' as const, sns: [early, late] }, delivery: { rings } };
  expect((await admin.call(taskCalls.preview, asked)).rings).toEqual([1, 1]);
  const { id } = await admin.call(taskCalls.add, { ...asked, name: 'Pilot first', release: true });
  await settle();
  const placed = await run(sql<{ sn: string; ring: number }>`select sn, ring from rollout_result where task_id = ${id} order by ring`);
  expect(placed.rows).toEqual([
    { sn: early, ring: 1 },
    { sn: late, ring: 2 },
  ]);
  expect((await admin.call(merchantCalls.detail, { id: pilot.id })).usedBy).toBe('Pilot first');
  expect((await remove(pilot.id)).body?.fault).toBe('MERCHANT_RELEASED');
  expect((await admin.send(taskCalls.add, { ...asked, name: 'Nobody', delivery: { rings: [{ merchantIds: [9e8] }, {}] } })).code).toBe(404);
  await admin.call(taskCalls.cancel, { id });
  await assign([one], null);
  expect((await remove(pilot.id)).code).toBe(200);
});
