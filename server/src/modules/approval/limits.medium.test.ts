import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { addDept, type DeptAt } from '../org/api.ts';

let app: TestApp;
let unit: DeptAt;
let bank: DeptAt;
let admin: Client;
let author: Client;
let region: Client;
let line: Client;
let market: Client;
let customer: Client;
let productId = 0;
let packageId = 0;
let ruleId = 0;
let devices: string[] = [];
const { settle, sns } = releasing(
  () => app,
  () => author,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: { id: 2, path: '1.2.' } }));
  bank = await app.dept('Harbour Bank', unit);
  admin = await app.person('platformAdmin', app.root, 'manager');
  author = await app.person('regionMaintainer', unit);
  region = await app.person('regionMaintainer', unit);
  line = await app.person('productLineAdmin', { id: 2, path: '1.2.' });
  market = await app.person('marketAdmin', { id: 2, path: '1.2.' });
  customer = await app.person('orgManager', bank, 'manager');
  productId = await makeProduct(app, { id: 2, path: '1.2.' });
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '2.0');
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`delete from approval_config`.execute(db));
  await app.context.unscoped((db) => sql`update device set status = '4'`.execute(db));
  devices = sns(3);
  await makeDevices(app, bank, productId, devices);
});

const rule = async (more: object) => {
  ruleId = (await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true, ...more })).id;
};
async function submit(): Promise<{ id: number; auditId: number }> {
  const [first = '', second = ''] = devices;
  const rings = [{ sns: [first], openAt: 0 }, { sns: [second], openAt: 0 }, { share: 100 }];
  const scope = { releaseScope: '2' as const, sns: devices };
  const task = await author.call(taskCalls.add, { name: 'Release', packageId, scope, delivery: { rings }, release: true });
  await app.runJobs();
  const { content } = await region.call(approvalCalls.page, { criteria: {} });
  return { id: task.id, auditId: content.find((one) => one.taskId === task.id)?.id ?? 0 };
}
const hour = 3_600_000;
const pass = (hours: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + hours * hour);
};
async function runLimits(): Promise<void> {
  await app.context.unscoped((db) => app.context.enqueue(db, 'approval:limits', {}));
  await app.runJobs();
}
const shown = (taskAuditId: number) => line.call(approvalCalls.baseInfo, { taskAuditId });
/** A moment later, as decisions are. */
const agree = (taskAuditId: number, auditStep: string) => {
  pass(0.01);
  return { taskAuditId, auditStep, decision: '0' as const, comment: '' };
};
const overdue = async () => (await region.call(approvalCalls.page, { criteria: { overdue: true } })).content.map((row) => row.id);
/** Who was told something of an approval, by their numbers. */
const told = async (name: string, auditId: number) => {
  const { rows } = await app.context.unscoped((db) =>
    sql<{ id: number }>`select d.user_id as id from message_delivery d join message_message m on m.id = d.message_id
      where m.text_key = ${name} and m.link like ${`%/${auditId}`} order by 1`.execute(db),
  );
  return rows.map((row) => row.id);
};

test('a decision is due so many hours after its step began; late, its approvers are reminded once and may still decide', async () => {
  await rule({ hours1: 4 });
  const { auditId } = await submit();
  const due = app.clock.now.getTime() + 4 * hour;
  expect(Math.abs(Date.parse((await shown(auditId)).dueAt ?? '') - due)).toBeLessThan(hour / 60);
  pass(3);
  await runLimits();
  expect(await told('approvalLate', auditId)).toEqual([]);
  expect(await overdue()).not.toContain(auditId);
  pass(2);
  await runLimits();
  await runLimits();
  expect(await told('approvalLate', auditId)).toEqual([region.userId]);
  expect(await overdue()).toContain(auditId);
  expect(await shown(auditId)).toMatchObject({ step: '11', overdue: true });
  await region.call(approvalCalls.confirm, agree(auditId, '11'));
  await app.runJobs();
  expect(await shown(auditId)).toMatchObject({ step: '12', overdue: false });
  expect(Date.parse((await shown(auditId)).dueAt ?? '')).toBeGreaterThan(app.clock.now.getTime() + 3 * hour);
  expect(await overdue()).not.toContain(auditId);
});

test('whoever decides is warned once before a limit passes: an hour before, or after three quarters of a short one', async () => {
  await rule({ hours1: 8 });
  const long = await submit();
  pass(6.9);
  await runLimits();
  expect(await told('approvalSoon', long.auditId)).toEqual([]);
  pass(0.2);
  await runLimits();
  await runLimits();
  expect(await told('approvalSoon', long.auditId)).toEqual([region.userId]);
  pass(1);
  await runLimits();
  expect(await told('approvalSoon', long.auditId)).toEqual([region.userId]);
  expect(await told('approvalLate', long.auditId)).toEqual([region.userId]);

  await admin.call(auditConfigCalls.update, { id: ruleId, enabled: true, hours1: 1 });
  const short = await submit();
  pass(0.7);
  await runLimits();
  expect(await told('approvalSoon', short.auditId)).toEqual([]);
  pass(0.1);
  await runLimits();
  expect(await told('approvalSoon', short.auditId)).toEqual([region.userId]);
  // Where nobody looked in time it is late, and not soon.
  const missed = await submit();
  pass(2);
  await runLimits();
  expect(await told('approvalSoon', missed.auditId)).toEqual([]);
  expect(await told('approvalLate', missed.auditId)).toEqual([region.userId]);
});

const later = (hours: number) => new Date(app.clock.now.getTime() + hours * hour).toISOString();
const extension = (taskAuditId: number, hours: number, more: object = {}) => ({
  taskAuditId,
  auditStep: '11',
  dueAt: later(hours),
  comment: 'Public holiday',
  ...more,
});

test('who keeps the rules extends a time that runs: it goes back later, those who wait are told, and the history says why', async () => {
  await rule({ hours1: 4, whenLate: 'expire' });
  const { auditId } = await submit();
  pass(3);
  const shownTo = await admin.call(approvalCalls.baseInfo, { taskAuditId: auditId });
  expect(shownTo.allowedActions).toContain('extend');
  const dueAt = later(10);
  expect(await admin.call(approvalCalls.extend, extension(auditId, 10))).toMatchObject({ step: '11', dueAt });
  await app.runJobs();
  expect(await told('approvalExtended', auditId)).toEqual([author.userId, region.userId].sort((a, b) => a - b));
  const records = await line.call(approvalCalls.result, { taskAuditId: auditId });
  expect(records.at(-1)).toMatchObject({ event: 'extend', step: '11', toStep: '11', comment: 'Public holiday', dueAt });
  pass(2);
  await runLimits();
  expect(await shown(auditId)).toMatchObject({ step: '11', overdue: false });
  expect(await told('approvalSoon', auditId)).toEqual([]);
  pass(7.1);
  await runLimits();
  expect(await told('approvalSoon', auditId)).toEqual([region.userId]);
  pass(1);
  await runLimits();
  expect(await shown(auditId)).toMatchObject({ step: '16', dueAt: null });
});

test('a decision that is late already isn’t any more once it has longer', async () => {
  await rule({ hours1: 1 });
  const { auditId } = await submit();
  pass(2);
  await runLimits();
  expect(await overdue()).toContain(auditId);
  await admin.call(approvalCalls.extend, extension(auditId, 5));
  expect(await overdue()).not.toContain(auditId);
  pass(6);
  await runLimits();
  expect(await told('approvalLate', auditId)).toEqual([region.userId, region.userId]);
  await region.call(approvalCalls.confirm, agree(auditId, '11'));
});

test('nobody gives themselves more time, an earlier one, one of another step, or one without a reason', async () => {
  await rule({ hours1: 4 });
  const { auditId } = await submit();
  for (const who of [region, author, customer]) expect((await who.send(approvalCalls.extend, extension(auditId, 9))).code).toBe(403);
  expect((await region.call(approvalCalls.baseInfo, { taskAuditId: auditId })).allowedActions).not.toContain('extend');
  const below = await app.person('platformAdmin', bank, 'manager');
  expect((await below.send(approvalCalls.extend, extension(auditId, 9))).code).toBe(404);
  for (const hours of [-1, 3, 9000])
    expect((await admin.send(approvalCalls.extend, extension(auditId, hours))).body?.fault).toBe('APPROVAL_DUE');
  expect((await admin.send(approvalCalls.extend, extension(auditId, 9, { auditStep: '12' }))).code).toBe(409);
  expect((await admin.send(approvalCalls.extend, extension(auditId, 9, { comment: ' ' }))).code).toBe(400);
  await region.call(approvalCalls.confirm, agree(auditId, '11'));
  expect((await admin.send(approvalCalls.extend, extension(auditId, 9))).code).toBe(409);
  await admin.call(auditConfigCalls.update, { id: ruleId, enabled: true, hours1: null });
  const free = await submit();
  expect((await admin.send(approvalCalls.extend, extension(free.auditId, 9))).body?.fault).toBe('APPROVAL_NO_LIMIT');
  expect((await admin.call(approvalCalls.baseInfo, { taskAuditId: free.auditId })).allowedActions).not.toContain('extend');
});

test('without a limit nothing is due, and a limit that is set later counts from the next step', async () => {
  await rule({});
  const { auditId } = await submit();
  expect(await shown(auditId)).toMatchObject({ dueAt: null, overdue: false });
  await admin.call(auditConfigCalls.update, { id: ruleId, enabled: true, hours1: 1, whenLate: 'expire' });
  pass(48);
  await runLimits();
  expect(await shown(auditId)).toMatchObject({ step: '11', dueAt: null });
  await region.call(approvalCalls.confirm, agree(auditId, '11'));
  await app.runJobs();
  expect((await shown(auditId)).dueAt).not.toBeNull();
});

test('whoever sets the rules is told, where the rule says so', async () => {
  await rule({ hours1: 1, whenLate: 'escalate' });
  const { auditId } = await submit();
  pass(2);
  await runLimits();
  expect(await told('approvalEscalated', auditId)).toContain(admin.userId);
  expect(await told('approvalLate', auditId)).toEqual([region.userId]);
});

test('time that passes never approves: the release goes back to its author, and nothing is sent', async () => {
  await rule({ hours1: 1, whenLate: 'expire' });
  const { id, auditId } = await submit();
  pass(2);
  await runLimits();
  await settle();
  expect(await shown(auditId)).toMatchObject({ step: '16', dueAt: null });
  expect(await author.call(taskCalls.detail, { id })).toMatchObject({ state: 'returned' });
  expect(await told('approvalExpired', auditId)).toEqual([author.userId]);
  const records = await line.call(approvalCalls.result, { taskAuditId: auditId });
  expect(records.at(-1)).toMatchObject({ event: 'expire', step: '11', toStep: '16', actor: '' });
  expect((await region.send(approvalCalls.confirm, agree(auditId, '11'))).code).toBe(409);
  const { rows } = await app.context.unscoped((db) => sql`select 1 from rollout_result where task_id = ${id} and attempts > 0`.execute(db));
  expect(rows).toEqual([]);
});

test('the check of a result is asked for again, and ends nothing: what was approved runs on', async () => {
  await rule({ hours1: 1, whenLate: 'expire' });
  const { id, auditId } = await submit();
  await region.call(approvalCalls.confirm, agree(auditId, '11'));
  await line.call(approvalCalls.auditResult, agree(auditId, '12'));
  await market.call(approvalCalls.auditResult, agree(auditId, '13'));
  await settle();
  await app.runJobs();
  pass(2);
  await runLimits();
  expect(await shown(auditId)).toMatchObject({ step: '14', overdue: true });
  expect(await author.call(taskCalls.detail, { id })).toMatchObject({ state: 'running' });
});

test('a trial that nobody decides on goes back: the sample keeps what it has, nobody else gets anything, and it can be handed in again', async () => {
  await rule({ hours2: 1, whenLate: 'expire' });
  const { id, auditId } = await submit();
  await region.call(approvalCalls.confirm, agree(auditId, '11'));
  await line.call(approvalCalls.auditResult, agree(auditId, '12'));
  await market.call(approvalCalls.auditResult, agree(auditId, '13'));
  await settle();
  await customer.call(approvalCalls.resultConfirm, agree(auditId, '14'));
  pass(0.01);
  await author.call(approvalCalls.applyTrial, { taskAuditId: auditId });
  await app.runJobs();
  pass(2);
  await runLimits();
  await settle();
  expect(await shown(auditId)).toMatchObject({ step: '26' });
  expect((await author.call(approvalCalls.baseInfo, { taskAuditId: auditId })).allowedActions).toContain('end');
  const { rows } = await app.context.unscoped((db) =>
    sql<{ sn: string }>`select sn from rollout_result where task_id = ${id} and attempts > 0`.execute(db),
  );
  expect(rows.map((row) => row.sn)).toEqual(devices.slice(0, 1));
});

test('what follows is what the rule said when the step began', async () => {
  await rule({ hours1: 1, whenLate: 'remind' });
  const { auditId } = await submit();
  await admin.call(auditConfigCalls.update, { id: ruleId, enabled: true, hours1: 1, whenLate: 'expire' });
  pass(2);
  await runLimits();
  expect(await shown(auditId)).toMatchObject({ step: '11', overdue: true });
});

test('where nobody can decide no time runs, and its author and who keeps the rules hear of it', async () => {
  await rule({ hours1: 1, whenLate: 'expire' });
  const enable = (enabled: boolean) =>
    app.context.unscoped((db) => sql`update account_user set state = ${enabled ? '0' : '1'} where id = ${region.userId}`.execute(db));
  await enable(false);
  const [first = '', second = ''] = devices;
  const rings = [{ sns: [first], openAt: 0 }, { sns: [second], openAt: 0 }, { share: 100 }];
  const scope = { releaseScope: '2' as const, sns: devices };
  const task = await author.call(taskCalls.add, { name: 'Unheard', packageId, scope, delivery: { rings }, release: true });
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ id: number; due_at: Date | null }>`select id, due_at from approval_audit where task_id = ${task.id}`.execute(db),
  );
  const [audit] = rows;
  await enable(true);
  expect(audit?.due_at).toBeNull();
  expect(await told('approvalUnheard', audit?.id ?? 0)).toEqual(expect.arrayContaining([author.userId, admin.userId]));
});

test('a limit is a whole number of hours, a year at most', async () => {
  for (const hours1 of [0, -1, 1.5, 8761])
    expect((await admin.send(auditConfigCalls.add, { deptId: 2, taskType: '2', enabled: true, hours1 })).code).toBe(400);
});
