import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { noteGiven } from '../access/api.ts';
import { addDept, type DeptAt } from '../org/api.ts';

let app: TestApp;
let bank: DeptAt;
let author: Client;
let second: Client;
let region: Client;
let line: Client;
let market: Client;
let customer: Client;
let packageId = 0;
let productId = 0;
const { settle, sns } = releasing(
  () => app,
  () => author,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  const products = { id: 2, path: '1.2.' };
  const unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: products }));
  bank = await app.dept('Harbour Bank', unit);
  author = await app.person('regionMaintainer', unit);
  second = await app.person('regionMaintainer', unit);
  region = await app.person('regionMaintainer', unit);
  line = await app.person('productLineAdmin', products);
  market = await app.person('marketAdmin', products);
  customer = await app.person('orgManager', bank, 'manager');
  productId = await makeProduct(app, products);
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '2.0');
  const admin = await app.person('platformAdmin', app.root, 'manager');
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
});
afterAll(() => app.stop());

const pass = (taskAuditId: number, auditStep: string) => ({ taskAuditId, auditStep, decision: '0' as const, comment: '' });
const faultOf = async (answer: ReturnType<Client['send']>) => (await answer).body?.fault;
async function submit(more: object = {}) {
  const devices = sns(2);
  await makeDevices(app, bank, productId, devices);
  const rings = [{ sns: devices.slice(0, 1), openAt: 0 }, { sns: devices.slice(1), openAt: 0 }, { share: 100 }];
  const task = await author.call(taskCalls.add, {
    name: 'Release 2.0',
    packageId,
    scope: { releaseScope: '2', sns: devices },
    delivery: { rings, ...more },
    release: true,
  });
  const { content } = await region.call(approvalCalls.page, { criteria: {} });
  return { id: task.id, auditId: content.find((one) => one.taskId === task.id)?.id ?? 0 };
}

test('whoever changed what was sent back is one of its authors, and so is whoever handed in an earlier stage', async () => {
  const { id, auditId } = await submit();
  await region.call(approvalCalls.returnToUpdate, { taskAuditId: auditId, comment: 'Slower, please' });
  const task = await second.call(taskCalls.detail, { id });
  const input = { id, name: task.name, packageId, scope: task.scope, delivery: { ...task.delivery, pacePerMinute: 5 }, remark: '' };
  await second.call(taskCalls.edit, input);
  await author.call(taskCalls.submit, { id });
  expect(await faultOf(second.send(approvalCalls.confirm, pass(auditId, '11')))).toBe('APPROVAL_OWN');
  await region.call(approvalCalls.confirm, pass(auditId, '11'));
  await line.call(approvalCalls.auditResult, pass(auditId, '12'));
  await market.call(approvalCalls.auditResult, pass(auditId, '13'));
  await settle();
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  await region.call(approvalCalls.applyTrial, { taskAuditId: auditId });
  expect(await faultOf(region.send(approvalCalls.confirm, pass(auditId, '21')))).toBe('APPROVAL_OWN');
  expect(await faultOf(second.send(approvalCalls.confirm, pass(auditId, '21')))).toBe('APPROVAL_OWN');
});

test('who comes to be a target later waits for the next stage, whichever ring names them', async () => {
  const [first = '', later = ''] = sns(2);
  const [sample = 0, other = 0] = await makeDevices(app, bank, productId, [first, later]);
  const tag = (id: number, name: string) => customer.call(deviceCalls.update, { id, name, tags: ['sample'], remark: '', notes: '' });
  await tag(sample, first);
  const { id } = await author.call(taskCalls.add, {
    name: 'Release 2.0',
    packageId,
    scope: { releaseScope: '1', tags: ['sample'] },
    delivery: { rings: [{ tags: ['sample'], openAt: 0 }, { sns: ['none'], openAt: 0 }, { share: 100 }], laterMembers: true },
    release: true,
  });
  const auditId = (await region.call(approvalCalls.page, { criteria: {} })).content.find((one) => one.taskId === id)?.id ?? 0;
  await region.call(approvalCalls.confirm, pass(auditId, '11'));
  await line.call(approvalCalls.auditResult, pass(auditId, '12'));
  await market.call(approvalCalls.auditResult, pass(auditId, '13'));
  await settle();
  await tag(other, later);
  await app.runJobs();
  await settle();
  const { rows } = await app.context.unscoped((db) =>
    sql`select sn, ring, attempts from rollout_result where task_id = ${id} order by sn`.execute(db),
  );
  expect(rows).toEqual([
    { sn: first, ring: 1, attempts: 1 },
    { sn: later, ring: 2, attempts: 0 },
  ]);
});

test('whether the result is right nobody says before the release has begun', async () => {
  const { auditId } = await submit({ startAt: new Date(app.clock.now.getTime() + 86_400_000).toISOString() });
  await region.call(approvalCalls.confirm, pass(auditId, '11'));
  await line.call(approvalCalls.auditResult, pass(auditId, '12'));
  await market.call(approvalCalls.auditResult, pass(auditId, '13'));
  await settle();
  expect(await faultOf(customer.send(approvalCalls.resultConfirm, pass(auditId, '14')))).toBe('APPROVAL_ROLE');
  app.clock.now = new Date(app.clock.now.getTime() + 86_400_000);
  await settle();
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
});

test('with dual control nobody agrees by an account that one of the authors has given', async () => {
  app.clock.now = new Date();
  const boss = await app.person('platformAdmin', app.root, 'manager');
  await boss.call(systemSettingCalls.dualControl, { enabled: true });
  await app.context.unscoped((db) => noteGiven(db, [region.userId], author.userId, 'account'));
  app.clock.now = new Date(Math.max(app.clock.now.getTime(), Date.now()) + 1000);
  const { auditId } = await submit();
  expect(await faultOf(region.send(approvalCalls.confirm, pass(auditId, '11')))).toBe('CHANGE_ONE_HAND');
  await second.call(approvalCalls.confirm, pass(auditId, '11'));
});
