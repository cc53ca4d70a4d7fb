import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { addDept, type DeptAt } from '../org/api.ts';
import { subjectsFor } from './release-subject.ts';

let app: TestApp;
let unit: DeptAt;
let bank: DeptAt;
let later: DeptAt;
const people = {} as Record<'author' | 'region' | 'below' | 'line' | 'market' | 'customer' | 'other', Client>;
let productId = 0;
let packageId = 0;
const { settle, sns, subscribe } = releasing(
  () => app,
  () => people.author,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'North', parent: { id: 2, path: '1.2.' } }));
  bank = await app.dept('Bank', unit);
  later = await app.dept('Later bank', unit);
  const admin = await app.person('platformAdmin', app.root, 'manager');
  people.author = await app.person('regionMaintainer', unit);
  people.region = await app.person('regionMaintainer', unit);
  people.below = await app.person('regionMaintainer', bank);
  people.line = await app.person('productLineAdmin', { id: 2, path: '1.2.' });
  people.market = await app.person('marketAdmin', { id: 2, path: '1.2.' });
  people.customer = await app.person('orgManager', bank, 'manager');
  people.other = await app.person('orgManager', later, 'manager');
  productId = await makeProduct(app, { id: 2, path: '1.2.' });
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '2.0');
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
});
afterAll(() => app.stop());

/** A release whose first ring is the first of these terminals, and its second the next. */
async function submit(names: readonly string[]): Promise<{ id: number; auditId: number }> {
  const [first = '', second = first] = names;
  const task = await people.author.call(taskCalls.add, {
    name: 'Release 2.0',
    packageId,
    scope: { releaseScope: '2', sns: [...names] },
    delivery: { rings: [{ sns: [first], openAt: 0 }, { sns: [second], openAt: 0 }, { share: 100 }] },
    release: true,
  });
  const { content } = await people.region.call(approvalCalls.page, { criteria: { taskId: task.id } });
  return { id: task.id, auditId: content[0]?.id ?? 0 };
}
const pass = (taskAuditId: number, auditStep: string) => ({ taskAuditId, auditStep, decision: '0' as const, comment: '' });
async function approve(auditId: number, stage: 1 | 2): Promise<void> {
  await people.region.call(approvalCalls.confirm, pass(auditId, `${stage}1`));
  await people.line.call(approvalCalls.auditResult, pass(auditId, `${stage}2`));
  await people.market.call(approvalCalls.auditResult, pass(auditId, `${stage}3`));
  await settle();
}
const shown = (auditId: number, by: Client) => by.call(approvalCalls.baseInfo, { taskAuditId: auditId });
const faultOf = async (answer: ReturnType<Client['send']>) => (await answer).body?.fault;
const mine = async (by: Client) => (await by.call(approvalCalls.page, { criteria: { mine: true } })).content.map(({ taskId }) => taskId);
async function succeed(taskId: number): Promise<void> {
  type Sent = { offer: string; device_id: number; sn: string; dept_path: string };
  const sent = sql<Sent>`select offer, device_id, sn, dept_path from rollout_result where task_id = ${taskId} and state = '2'`;
  const { rows } = await app.context.unscoped((db) => sent.execute(db));
  expect(rows).toHaveLength(1);
  for (const one of rows) await subscribe('result', one, { outcome: 'success', version: '2.0' });
  await settle();
}

test('where no organisation has terminals of it yet, the region says whether the result is right, and is asked where it can', async () => {
  const names = sns(2);
  await makeDevices(app, unit, productId, names.slice(0, 1));
  await makeDevices(app, later, productId, names.slice(1));
  const { id, auditId } = await submit(names);
  await approve(auditId, 1);
  await app.runJobs();
  expect(await mine(people.region)).toEqual([id]);
  // Its terminals come with the second ring.
  expect(await mine(people.other)).toEqual([]);
  const told = sql<{ link: string }>`select link from message_message where text_key = 'approvalWaits' order by id desc limit 1`;
  const { rows } = await app.context.unscoped((db) => told.execute(db));
  expect(rows[0]?.link).toMatch(/^\/approveTask\//);
  const subject = subjectsFor({ invalidate: async () => {} } as never).of('1');
  const byMail = await app.context.unscoped((db) => subject.personNow(db, people.region.userId, '14'));
  expect([...(byMail?.person.roles ?? [])]).toEqual(['3']);
  expect((await shown(auditId, people.region)).allowedActions).toContain('resultConfirm');
  expect(await faultOf(people.line.send(approvalCalls.resultConfirm, pass(auditId, '14')))).toBe('APPROVAL_ROLE');
  await people.region.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  expect(await mine(people.region)).toEqual([]);
  await people.author.call(approvalCalls.applyTrial, { taskAuditId: auditId });
  await approve(auditId, 2);
  // Nor for a region that sees none of those terminals.
  expect([await mine(people.region), await mine(people.below), await mine(people.other)]).toEqual([[], [], [id]]);
  expect(await faultOf(people.region.send(approvalCalls.resultConfirm, pass(auditId, '24')))).toBe('APPROVAL_ROLE');
  await people.other.call(approvalCalls.resultConfirm, pass(auditId, '24'));
  expect((await shown(auditId, people.line)).step).toBe('25');
});

test('a release whose terminals are all through may still be confirmed, and nothing further of it is asked for', async () => {
  const names = sns(1);
  await makeDevices(app, bank, productId, names);
  const { id, auditId } = await submit(names);
  await approve(auditId, 1);
  await succeed(id);
  expect((await people.author.call(taskCalls.detail, { id })).state).toBe('finished');
  expect(await shown(auditId, people.customer)).toMatchObject({ step: '14', allowedActions: ['resultConfirm'] });
  await people.customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  expect(await shown(auditId, people.author)).toMatchObject({ step: '15', allowedActions: ['end'] });
  expect(await faultOf(people.author.send(approvalCalls.applyTrial, { taskAuditId: auditId }))).toBe('APPROVAL_OVER');
  await people.author.call(approvalCalls.end, { taskAuditId: auditId });
  expect((await shown(auditId, people.author)).step).toBe('51');
});

test('what is through while the next stage is asked for ends its approval, and the history says so', async () => {
  const names = sns(1);
  await makeDevices(app, bank, productId, names);
  const { id, auditId } = await submit(names);
  await approve(auditId, 1);
  await people.customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  await people.author.call(approvalCalls.applyTrial, { taskAuditId: auditId });
  await succeed(id);
  expect((await shown(auditId, people.author)).step).toBe('51');
  const records = await people.author.call(approvalCalls.result, { taskAuditId: auditId });
  expect(records.at(-1)).toMatchObject({ event: 'end', actor: '', step: '21', toStep: '51' });
});

test('one that was sent back and edited after it had begun can be ended; who cancels is named', async () => {
  const names = sns(1);
  await makeDevices(app, bank, productId, names);
  const { id, auditId } = await submit(names);
  await approve(auditId, 1);
  await people.author.call(approvalCalls.returnToUpdate, { taskAuditId: auditId });
  const { name, scope, delivery } = await people.author.call(taskCalls.detail, { id });
  await people.author.call(taskCalls.edit, { id, name, packageId, scope, delivery: { ...delivery, pacePerMinute: 5 }, remark: '' });
  expect(await shown(auditId, people.author)).toMatchObject({ step: '10', allowedActions: ['end'] });
  await people.author.call(approvalCalls.end, { taskAuditId: auditId });
  expect((await people.author.call(taskCalls.detail, { id })).state).toBe('rejected');

  const second = await submit(names);
  await people.author.call(taskCalls.cancel, { id: second.id });
  const records = await people.author.call(approvalCalls.result, { taskAuditId: second.auditId });
  expect(records.at(-1)).toMatchObject({ event: 'end', actor: expect.stringMatching(/^Person/) });
});
