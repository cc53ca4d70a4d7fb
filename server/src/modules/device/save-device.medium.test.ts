import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf, makeMerchant, makeShop } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let bank: DeptAt;
let rival: DeptAt;
let banker: Client;
let rivals: Client;
let productId: number;
let merchantId: number;
let shopId: number;
let groupId: number;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  rival = await app.dept('Rival');
  banker = await app.person('orgManager', bank);
  rivals = await app.person('orgManager', rival);
  productId = await makeProduct(app, app.root, 'SAVE-1');
  ({ id: merchantId } = await makeMerchant(banker, bank.id));
  ({ id: shopId } = await makeShop(banker, merchantId));
  ({ id: groupId } = await banker.call(deviceGroupCalls.add, { name: 'Counter', kind: 'static', deptId: bank.id }));
});
afterAll(() => app.stop());

const whole = (sn: string) => ({
  ...{ sn, productId, deptId: bank.id, tags: ['till'], merchantId, shopId, groupIds: [groupId, groupId] },
  config: { volume: 7 },
});
const isThere = async (sn: string) => (await banker.call(deviceCalls.page, { criteria: { sn } })).total > 0;

test('a terminal is added with its place, groups and settings in one go', async () => {
  const { id } = await banker.call(deviceCalls.save, whole('SAVE-0001'));
  expect(await banker.call(deviceCalls.detail, { id })).toMatchObject({
    ...{ sn: 'SAVE-0001', name: 'SAVE-0001', status: '1', merchantId, shopId, tags: ['till'] },
    groups: [{ id: groupId, name: 'Counter' }],
    config: { values: { volume: 7 } },
  });
  const bare = await banker.call(deviceCalls.save, { sn: 'SAVE-0002', productId, deptId: bank.id });
  expect(bare).toMatchObject({ merchantId: null, groups: [] });
});

test('what one part is refused for leaves nothing behind, and is said at its field', async () => {
  const rule = await banker.call(deviceGroupCalls.add, { name: 'By rule', kind: 'rule', rule: { tag: 'till' }, deptId: bank.id });
  const branch = await app.dept('Branch', bank);
  const ofBranch = await makeMerchant(banker, branch.id);
  const branchGroup = await banker.call(deviceGroupCalls.add, { name: 'Of branch', kind: 'static', deptId: branch.id });
  const theirs = await makeMerchant(rivals, rival.id);
  for (const [wrong, fault] of [
    [{ merchantId: null }, 'SHOP_ELSEWHERE'],
    [{ merchantId: ofBranch.id, shopId: null }, 'MERCHANT_ELSEWHERE'],
    [{ merchantId: theirs.id, shopId: null }, 'NOT_FOUND'],
    [{ groupIds: [groupId, rule.id] }, 'GROUP_BY_RULE'],
    [{ groupIds: [groupId, branchGroup.id] }, 'GROUP_ELSEWHERE'],
    [{ groupIds: Array.from({ length: 51 }, () => groupId) }, 'BAD_INPUT'],
    [{ config: { Bad: 1 } }, 'BAD_INPUT'],
    [{ sn: 'no' }, 'BAD_INPUT'],
    [{ sn: 'SAVE-0001' }, 'SN_TAKEN'],
    [{ deptId: rival.id }, 'NOT_FOUND'],
  ] as const)
    expect([wrong, await faultOf(banker.send(deviceCalls.save, { ...whole('SAVE-0003'), ...wrong }))]).toEqual([wrong, fault]);
  expect(await isThere('SAVE-0003')).toBe(false);
});

test('of two who save the same SN at once one is told', async () => {
  const both = await Promise.all([1, 2].map(() => banker.send(deviceCalls.save, whole('SAVE-0004'))));
  expect(both.map(({ body }) => body?.fault ?? 'saved').sort()).toEqual(['SN_TAKEN', 'saved']);
});

test('one that is added into stock is news for the lists of stock too', async () => {
  const news = async () => {
    const { rows } = await app.context.unscoped((db) =>
      sql<{
        n: number;
      }>`select count(*)::int as n from live_touch where call_group = '/inventory/device' and dept_path = ${bank.path}`.execute(db),
    );
    return rows[0]?.n;
  };
  const before = (await news()) ?? 0;
  await banker.call(deviceCalls.save, { sn: 'STOCK-0001', productId, deptId: bank.id, stocked: true });
  await banker.call(deviceCalls.add, { sn: 'STOCK-0002', productId, deptId: bank.id, stocked: true });
  await banker.call(deviceCalls.add, { sn: 'STOCK-0003', productId, deptId: bank.id });
  expect(await news()).toBe(before + 2);
});
