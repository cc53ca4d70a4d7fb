import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { codesWith } from '../../modules/access/api.ts';
import { makeReceiver, makeRule } from '../../modules/alert/alert.factory.ts';
import { makeFence } from '../../modules/geofence/geofence.factory.ts';
import { makeMerchant } from '../../modules/merchant/merchant.factory.ts';
import type { DeptAt } from '../../modules/org/api.ts';

/** What keeps a row is named to whoever may see it, and only counted for the others. */
let app: TestApp;
let bank: DeptAt;
let admin: Client;
let clerk: Client;
let packageId = 0;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
  const can = [
    'merchant:merchant:page',
    'merchant:merchant:delete',
    'device:group:page',
    'device:group:delete',
    'alert:alarm:page',
    'alert:receiver:edit',
  ];
  await app.context.unscoped((db) =>
    sql`insert into access_role (code, name, type, category, platforms, menus, dept_id, dept_path)
      values ('clerk', 'Clerk', '2', '0', '{centre}', ${can.flatMap(codesWith)}::text[], 1, '1.')`.execute(db),
  );
  clerk = await app.person('clerk', bank);
  packageId = await makePackage(app, admin, app.root, await makeProduct(app, app.root), '2.0');
});
afterAll(() => app.stop());

const release = (scope: object) =>
  admin.call(taskCalls.add, { name: 'Quiet update', packageId, scope: { releaseScope: '1', ...scope } as never });
let made = 0;
const group = async () => (await admin.call(deviceGroupCalls.add, { name: `Group ${++made}`, kind: 'static', deptId: bank.id })).id;
const UNSEEN = 'Something else uses it that you can’t see.';

test('a release that the person may not see keeps a merchant without its name', async () => {
  const { id } = await makeMerchant(admin, bank.id);
  const task = await release({ merchantIds: [id] });
  expect(await admin.call(merchantCalls.detail, { id })).toMatchObject({ usedBy: 'Quiet update' });
  const row = await clerk.call(merchantCalls.detail, { id });
  expect([row.usedBy, row.allowedActions.includes('delete')]).toEqual([UNSEEN, false]);
  const refused = await clerk.send(merchantCalls.delete, { id });
  expect([refused.body?.fault, refused.message]).toEqual(['USED_UNSEEN', `${UNSEEN} It can be deleted once nothing uses it any more.`]);
  expect(JSON.stringify([row, refused, await clerk.call(merchantCalls.page, {})])).not.toContain('Quiet update');
  await admin.call(taskCalls.delete, { id: task.id });
  expect(await clerk.call(merchantCalls.detail, { id })).toMatchObject({ usedBy: null });
  expect((await clerk.send(merchantCalls.delete, { id })).code).toBe(200);
});

test('nor is what a group is for named beyond that, be it a release, a geofence or a rule of an organisation above', async () => {
  const id = await group();
  const task = await release({ groupIds: [id] });
  const fence = await makeFence(admin, 1, { name: 'Secret yard', audience: 'groups', groupIds: [id] });
  const rule = await makeRule(admin, 1, { name: 'Hidden rule', scope: 'groups', groupIds: [id] });
  expect(await admin.call(deviceGroupCalls.detail, { id })).toMatchObject({ usedBy: 'Quiet update' });
  const row = await clerk.call(deviceGroupCalls.detail, { id });
  expect([row.usedBy, row.allowedActions.includes('delete')]).toEqual(['3 other things use it that you can’t see.', false]);
  await admin.call(taskCalls.delete, { id: task.id });
  await app.context.unscoped((db) => db.deleteFrom('alert_rule').where('id', '=', rule.id).execute());
  const refused = await clerk.send(deviceGroupCalls.delete, { id });
  expect(refused.body?.fault).toBe('USED_UNSEEN');
  expect(JSON.stringify([row, refused, await clerk.call(deviceGroupCalls.page, {})])).not.toMatch(/Quiet update|Secret yard|Hidden rule/);
  // Who sees the rules of the own organisation is told of one of them by its name.
  await makeRule(admin, bank.id, { name: 'Own rule', scope: 'groups', groupIds: [id] });
  expect(await clerk.call(deviceGroupCalls.detail, { id })).toMatchObject({ usedBy: 'Own rule' });
  expect(await clerk.send(deviceGroupCalls.delete, { id })).toMatchObject({ body: { fault: 'GROUP_IN_USE' } });
  await admin.call(geofenceCalls.delete, { id: fence.id });
});

test('a list of receivers that a rule above tells stays, and the rule isn’t named', async () => {
  const { id } = await makeReceiver(admin, bank.id);
  const rule = await makeRule(admin, 1, { name: 'Above all', receiverIds: [id] });
  const refused = await clerk.send(alarmReceiverCalls.delete, { id });
  expect([refused.body?.fault, JSON.stringify(refused).includes('Above all')]).toEqual(['USED_UNSEEN', false]);
  await app.context.unscoped((db) => db.deleteFrom('alert_rule').where('id', '=', rule.id).execute());
  const fence = await makeFence(admin, bank.id, { name: 'Yard', receiverIds: [id] });
  const byFence = await clerk.send(alarmReceiverCalls.delete, { id });
  expect([byFence.body?.fault, JSON.stringify(byFence).includes('Yard')]).toEqual(['USED_UNSEEN', false]);
  await admin.call(geofenceCalls.delete, { id: fence.id });
  expect((await clerk.send(alarmReceiverCalls.delete, { id })).code).toBe(200);
});
