import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls, GroupRule } from '@mooring/contract/device/group-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../org/api.ts';
import { foldTally } from '../fold-tally.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

const run = (query: ReturnType<typeof sql>) => app.context.unscoped((db) => query.execute(db));
let made = 0;
const group = async (rule: object) =>
  (await admin.call(deviceGroupCalls.add, { name: `Group ${++made}`, kind: 'rule', deptId: bank.id, rule })).id;
const within = async (groupId: number) =>
  (await admin.call(deviceCalls.page, { criteria: { groupId }, page: { sort: 'sn', order: 'asc' } })).content.map((one) => one.sn);

test('each condition that a rule may have lets one terminal in and keeps another out', async () => {
  const branch = await app.dept('Branch', bank);
  const [productId, otherProduct] = [await makeProduct(app, app.root), await makeProduct(app, app.root)];
  await makePackage(app, admin, app.root, productId, '2.0');
  const [inside = 0] = await makeDevices(app, branch, productId, ['INSIDE01'], '1.0');
  await makeDevices(app, bank, otherProduct, ['OUTSIDE1'], '3.0');
  const [twin = 0] = await makeDevices(app, bank, otherProduct, ['TWIN0001'], '3.0');
  const merchant = await run(
    sql`insert into merchant_merchant (number, name, kind, dept_id, dept_path) values ('M1', 'M', 'shop', ${bank.id}, ${bank.path}) returning id`,
  );
  const merchantId = (merchant.rows[0] as { id: number }).id;
  const shop = await run(
    sql`insert into merchant_shop (merchant_id, number, name, dept_id, dept_path) values (${merchantId}, 'S1', 'S', ${bank.id}, ${bank.path}) returning id`,
  );
  const shopId = (shop.rows[0] as { id: number }).id;
  await run(sql`update device set status = '4', tags = array['kiosk'], test_terminal = true, created_at = '2020-05-05', merchant_id = ${merchantId},
    shop_id = ${shopId} where id = ${inside}`);
  await run(
    sql`insert into device_attention (device_id, kind, product_id, dept_path, since) values (${inside}, 'battery', ${productId}, ${branch.path}, now())`,
  );
  await run(
    sql`insert into device_app (device_id, package_name, version_name, version_code, dept_path) values (${inside}, 'com.pay', '1', 5, ${branch.path})`,
  );
  await run(sql`insert into device_double (device_id, kind, value, dept_path)
    values (${inside}, 'imei', 'same', ${branch.path}), (${twin}, 'imei', 'same', ${bank.path})`);
  await app.context.unscoped((db) => foldTally(db));
  const rules: Required<{ [K in keyof GroupRule]: GroupRule[K] }> = {
    text: 'inside',
    sn: 'SIDE01',
    tag: 'kiosk',
    status: '4',
    productId,
    deptId: branch.id,
    merchantId,
    shopId,
    firmware: '1.0',
    attention: 'battery',
    doubles: 'imei',
    app: 'com.pay',
    appBelow: '6',
    testTerminal: true,
    behind: true,
    createdAt: { lessThanOrEqual: '2020-06-01T00:00:00.000Z' },
  };
  expect(Object.keys(rules).sort()).toEqual(Object.keys(GroupRule.shape).sort());
  for (const [key, value] of Object.entries(rules)) {
    const found = (await within(await group({ [key]: value }))).filter((sn) => sn !== 'TWIN0001');
    expect([key, found]).toEqual([key, ['INSIDE01']]);
  }
  expect(await within(await group({ behind: false }))).toEqual(['OUTSIDE1', 'TWIN0001']);
  expect(await within(await group({ testTerminal: false }))).toEqual(['OUTSIDE1', 'TWIN0001']);
});

test('nobody meets a rule with a condition that isn’t known, or with none, also where it is kept already', async () => {
  await makeDevices(app, bank, await makeProduct(app, app.root), ['NOBODY01']);
  const wrong = [{ failed: '7' }, { createdAt: {} }, { sn: 'NOBODY', failed: '7' }, {}];
  for (const rule of wrong) {
    const asked = { name: 'x', kind: 'rule', deptId: bank.id, rule };
    expect([rule, (await admin.send(deviceGroupCalls.add, asked as never)).code]).toEqual([rule, 400]);
    const id = await group({ sn: 'NOBODY01' });
    expect(await within(id)).toEqual(['NOBODY01']);
    await run(sql`update device_group set rule = ${JSON.stringify(rule)}::jsonb where id = ${id}`);
    expect([rule, await within(id)]).toEqual([rule, []]);
    await admin.call(deviceGroupCalls.update, { id, name: `Mended ${id}`, rule: { sn: 'NOBODY01' } });
    expect(await within(id)).toEqual(['NOBODY01']);
  }
});
