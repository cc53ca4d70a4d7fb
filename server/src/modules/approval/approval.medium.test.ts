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
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), { id: 1, path: '1.' }, productId, '2.0');
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
});
afterAll(() => app.stop());
let devices: string[] = [];
beforeEach(async () => {
  await app.context.unscoped((db) => sql`update device set status = '4'`.execute(db));
  devices = sns(3);
  await makeDevices(app, bank, productId, devices);
});

const ringsOf = ([first = '', second = '']: readonly string[]) => [
  { sns: [first], openAt: 0 },
  { sns: [second], openAt: 0 },
  { share: 100 },
];
async function submit(more: object = {}): Promise<{ id: number; auditId: number }> {
  const task = await author.call(taskCalls.add, {
    name: 'Release 2.0',
    packageId,
    scope: { releaseScope: '2', sns: devices },
    delivery: { rings: ringsOf(devices), ...more },
    release: true,
  });
  expect(task.state).toBe('auditing');
  const { content } = await region.call(approvalCalls.page, { criteria: {} });
  return { id: task.id, auditId: content.find((one) => one.taskId === task.id)?.id ?? 0 };
}
const stepOf = async (auditId: number) => (await line.call(approvalCalls.baseInfo, { taskAuditId: auditId })).step;
const pass = (taskAuditId: number, auditStep: string) => ({ taskAuditId, auditStep, decision: '0' as const, comment: '' });
const approve = async (id: number, stage: 1 | 2 | 3) => {
  await region.call(approvalCalls.confirm, pass(id, `${stage}1`));
  await line.call(approvalCalls.auditResult, pass(id, `${stage}2`));
  await market.call(approvalCalls.auditResult, pass(id, `${stage}3`));
};
const sent = async (id: number) => {
  await settle();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ sn: string }>`select sn from rollout_result where task_id = ${id} and attempts > 0 order by sn`.execute(db),
  );
  return rows.map((row) => row.sn);
};
const faultOf = async (answer: ReturnType<Client['send']>) => (await answer).body?.fault;

test('three stages open three rings, each after its own people', async () => {
  const { id, auditId } = await submit();
  expect(await sent(id)).toEqual([]);
  expect(await region.call(approvalCalls.maintenanceCount)).toMatchObject({ fota: { allCnt: 1, dailyCnt: 1, presetCnt: 0 } });
  expect(await line.call(approvalCalls.taskCount)).toBe(0);
  await approve(auditId, 1);
  expect(await sent(id)).toEqual(devices.slice(0, 1));
  expect(await faultOf(author.send(taskCalls.openRing, { id, ring: 2 }))).toBe('APPROVAL_NEEDED');
  expect(await customer.call(approvalCalls.taskCount)).toBe(1);
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  expect(await customer.call(approvalCalls.taskCount)).toBe(0);
  expect(await stepOf(auditId)).toBe('15');
  expect(await sent(id)).toEqual(devices.slice(0, 1));
  await author.call(approvalCalls.applyTrial, { taskAuditId: auditId });
  expect(await stepOf(auditId)).toBe('21');
  await approve(auditId, 2);
  expect(await sent(id)).toEqual(devices.slice(0, 2));
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '24'));
  await author.call(approvalCalls.applyFull, { taskAuditId: auditId });
  await approve(auditId, 3);
  expect(await sent(id)).toEqual(devices);
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '34'));
  const end = await line.call(approvalCalls.baseInfo, { taskAuditId: auditId });
  expect(end).toMatchObject({ step: '34', result: '1', allowedActions: [] });
  const records = await line.call(approvalCalls.result, { taskAuditId: auditId });
  expect(records.map((one) => one.event)).toEqual([
    ...['apply', 'confirm', 'approveLine', 'approveMarket', 'resultConfirm', 'applyTrial'],
    ...['apply', 'confirm', 'approveLine', 'approveMarket', 'resultConfirm', 'applyFull'],
    ...['apply', 'confirm', 'approveLine', 'approveMarket', 'resultConfirm'],
  ]);
  const { rows } = await app.context.unscoped((db) =>
    sql`select stage from approval_application where audit_id = ${auditId} and approved_at is not null order by id`.execute(db),
  );
  expect(rows).toEqual([{ stage: 1 }, { stage: 2 }, { stage: 3 }]);
});

test('a roll-back is agreed to like any other release, stage after stage', async () => {
  const before = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '1.0');
  const { id, auditId } = await submit();
  await approve(auditId, 1);
  await settle();
  await app.context.unscoped((db) =>
    sql`update rollout_result set state = '3', version = '2.0', from_version = '1.0' where task_id = ${id}`.execute(db),
  );
  await app.context.unscoped((db) => sql`update device set firmware = '2.0' where sn = any(${devices}::text[])`.execute(db));
  const [way] = await author.call(taskCalls.previous, { id });
  expect(way).toMatchObject({ version: '1.0', count: 3, packageId: before });
  const input = {
    name: 'Back',
    packageId: before,
    scope: { releaseScope: '1' as const, updatedBy: { taskId: id, had: way?.had } },
    delivery: { rings: ringsOf(devices), allowDowngrade: true },
  };
  expect(await author.call(taskCalls.preview, { packageId: before, scope: input.scope, delivery: input.delivery })).toMatchObject({
    approval: true,
    matched: 3,
  });
  const back = await author.call(taskCalls.add, { ...input, release: true });
  expect(back.state).toBe('auditing');
  const { content } = await region.call(approvalCalls.page, { criteria: { taskId: back.id } });
  expect(await sent(back.id)).toEqual([]);
  await approve(content[0]?.id ?? 0, 1);
  expect(await sent(back.id)).toEqual(devices.slice(0, 1));
});

test('an approval is found by its release and type, by those alone who see it', async () => {
  const { id, auditId } = await submit();
  const found = async (who: Client, taskType: '1' | '3') =>
    (await who.call(approvalCalls.page, { criteria: { taskId: id, taskType } })).content.map((row) => row.id);
  expect(await found(region, '1')).toEqual([auditId]);
  expect(await found(region, '3')).toEqual([]);
  expect(await found(await app.person('orgManager', await app.dept('Another bank'), 'manager'), '1')).toEqual([]);
  const looked = async (of: object) => (await region.send(approvalCalls.baseInfo, { taskAuditId: auditId, ...of })).code;
  expect(await looked({ auditStep: '11', businessType: '1', id })).toBe(200);
  expect([await looked({ auditStep: '12' }), await looked({ businessType: '2' }), await looked({ id: id + 1 })]).toEqual([404, 404, 404]);
});

test('sent back at stage 2, edited within what is still open, and handed in again at that stage', async () => {
  const { id, auditId } = await submit();
  await approve(auditId, 1);
  await settle();
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  await author.call(approvalCalls.applyTrial, { taskAuditId: auditId });
  await region.call(approvalCalls.confirm, pass(auditId, '21'));
  await line.call(approvalCalls.returnToUpdate, { taskAuditId: auditId, comment: 'Slower, please' });
  expect(await stepOf(auditId)).toBe('26');
  const task = await author.call(taskCalls.detail, { id });
  expect(task).toMatchObject({ state: 'returned', approval: { step: '26' } });
  expect(task.allowedActions).not.toContain('delete');
  const input = { id, name: task.name, packageId, scope: task.scope, delivery: task.delivery, remark: '' };
  const other = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '3.0');
  expect(await faultOf(author.send(taskCalls.edit, { ...input, packageId: other }))).toBe('APPROVAL_FIXED');
  expect(await faultOf(author.send(taskCalls.delete, { id }))).toBe('TASK_NOT_DELETABLE');
  await author.call(taskCalls.edit, { ...input, delivery: { ...task.delivery, pacePerMinute: 5 } });
  expect(await stepOf(auditId)).toBe('20');
  await author.call(taskCalls.submit, { id });
  expect(await stepOf(auditId)).toBe('21');
  expect(await line.call(approvalCalls.detailInfo, { taskAuditId: auditId })).toMatchObject({
    changes: ['delivery'],
    changed: false,
    delivery: { pacePerMinute: 5, onBusy: 'wait', allowDowngrade: false, haltPercent: null },
    rings: [{ openAt: 0, waitForPerson: false }, { openAt: 0 }, { share: 100 }],
    earlier: { name: task.name, delivery: { pacePerMinute: null }, package: { version: '2.0' } },
  });
  expect(await sent(id)).toEqual(devices.slice(0, 1));
  await approve(auditId, 2);
  expect(await sent(id)).toEqual(devices.slice(0, 2));
});

test('what nobody agrees to in time ends, and nobody is asked any more', async () => {
  const { id, auditId } = await submit({ expiresAt: new Date(app.clock.now.getTime() + 86_400_000).toISOString() });
  await settle();
  expect(await author.call(taskCalls.detail, { id })).toMatchObject({ state: 'auditing' });
  app.clock.now = new Date(app.clock.now.getTime() + 86_400_000);
  await settle();
  expect(await author.call(taskCalls.detail, { id })).toMatchObject({ state: 'finished', startedAt: null });
  const { content } = await region.call(approvalCalls.page, { criteria: { mine: true } });
  expect(content.map((one) => one.id)).not.toContain(auditId);
  expect((await region.send(approvalCalls.confirm, pass(auditId, '11'))).body?.fault).toBe('OVERTAKEN');
});

test('refused, and ended without an edit: 51, and nothing more is sent', async () => {
  const { id, auditId } = await submit();
  await approve(auditId, 1);
  await settle();
  await customer.call(approvalCalls.resultConfirm, { ...pass(auditId, '14'), decision: '1', comment: 'Printer broken' });
  expect(await line.call(approvalCalls.baseInfo, { taskAuditId: auditId })).toMatchObject({ step: '16', result: '2' });
  await author.call(approvalCalls.end, { taskAuditId: auditId });
  await app.runJobs();
  // Nothing waits for anybody by then.
  const { rows } = await app.context.unscoped((db) => sql`select 1 from message_message where text_key = 'approvalUnheard'`.execute(db));
  expect(rows).toEqual([]);
  expect(await stepOf(auditId)).toBe('51');
  await settle();
  const task = await author.call(taskCalls.detail, { id });
  expect(task).toMatchObject({ state: 'rejected', tally: { '9': 3 } });
});

test('a trial is cancelled: what is done stays done', async () => {
  const { id, auditId } = await submit();
  await approve(auditId, 1);
  await settle();
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  await author.call(approvalCalls.applyTrial, { taskAuditId: auditId });
  await approve(auditId, 2);
  expect(await sent(id)).toEqual(devices.slice(0, 2));
  await author.call(approvalCalls.cancelTrial, { taskAuditId: auditId });
  expect(await stepOf(auditId)).toBe('26');
  expect(await author.call(taskCalls.detail, { id })).toMatchObject({ state: 'returned', tally: { '2': 2, '1': 1 } });
});

test('sent back while it runs: who falls silent is timed out and free for other releases, and the release ends in its time', async () => {
  const { id, auditId } = await submit();
  await approve(auditId, 1);
  expect(await sent(id)).toEqual(devices.slice(0, 1));
  await customer.call(approvalCalls.resultConfirm, { ...pass(auditId, '14'), decision: '1', comment: 'Printer broken' });
  const stands = async () => (await author.call(taskCalls.detail, { id })) as { state: string; tally: Record<string, number> };
  await settle();
  expect(await stands()).toMatchObject({ state: 'returned', tally: { '2': 1, '1': 2 } });
  app.clock.now = new Date(app.clock.now.getTime() + 3 * 3_600_000);
  await settle();
  expect(await stands()).toMatchObject({ state: 'returned', tally: { '5': 1, '1': 2 } });
  app.clock.now = new Date(app.clock.now.getTime() + 31 * 86_400_000);
  await settle();
  expect(await stands()).toMatchObject({ state: 'finished', tally: { '5': 1, '9': 2 } });
  expect(await stepOf(auditId)).toBe('51');
});

test('one that is edited after it began, without a day for its end, still ends', async () => {
  const { id, auditId } = await submit();
  await approve(auditId, 1);
  await settle();
  await author.call(approvalCalls.returnToUpdate, { taskAuditId: auditId, comment: 'Slower' });
  const { name, scope, delivery } = await author.call(taskCalls.detail, { id });
  await author.call(taskCalls.edit, { id, name, packageId, scope, delivery: { ...delivery, pacePerMinute: 5 }, remark: '' });
  app.clock.now = new Date(app.clock.now.getTime() + 31 * 86_400_000);
  await settle();
  expect(await author.call(taskCalls.detail, { id })).toMatchObject({ state: 'finished', tally: { '5': 1, '9': 2 } });
});

test('nobody approves their own, nor what is another’s to decide, nor a step that has passed', async () => {
  const { auditId } = await submit();
  expect(await faultOf(author.send(approvalCalls.confirm, pass(auditId, '11')))).toBe('APPROVAL_OWN');
  expect(await faultOf(market.send(approvalCalls.auditResult, pass(auditId, '12')))).toBe('OVERTAKEN');
  await region.call(approvalCalls.confirm, pass(auditId, '11'));
  expect(await faultOf(market.send(approvalCalls.auditResult, pass(auditId, '12')))).toBe('APPROVAL_ROLE');
  expect(await faultOf(region.send(approvalCalls.confirm, pass(auditId, '11')))).toBe('OVERTAKEN');
  const platform = await app.person('platformAdmin', app.root);
  expect(await faultOf(platform.send(approvalCalls.auditResult, pass(auditId, '12')))).toBe('APPROVAL_ROLE');
});

test('an approver of another region doesn’t even see it', async () => {
  const { auditId } = await submit();
  const south = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'South', parent: { id: 2, path: '1.2.' } }));
  const foreign = await app.person('regionMaintainer', south);
  expect((await foreign.send(approvalCalls.confirm, pass(auditId, '11'))).code).toBe(404);
  expect((await foreign.send(approvalCalls.deviceList, { taskAuditId: auditId })).code).toBe(404);
  const foreignBank = await app.person('orgManager', await app.dept('South Bank', south), 'manager');
  expect((await foreignBank.call(approvalCalls.page, {})).content).toEqual([]);
  expect((await foreignBank.send(approvalCalls.resultConfirm, pass(auditId, '14'))).code).toBe(404);
});

test('a package that is swapped after it was submitted isn’t approved, and one that is swapped after approval isn’t sent', async () => {
  const swap = (sha: string) =>
    app.context.unscoped((db) => sql`update rollout_package set sha256 = ${sha.repeat(64)} where id = ${packageId}`.execute(db));
  const { rows } = await app.context.unscoped((db) =>
    sql<{ sha256: string }>`select sha256 from rollout_package where id = ${packageId}`.execute(db),
  );
  const right = rows[0]?.sha256 ?? '';
  const { id, auditId } = await submit();
  await region.call(approvalCalls.confirm, pass(auditId, '11'));
  await swap('a');
  expect(await faultOf(line.send(approvalCalls.auditResult, pass(auditId, '12')))).toBe('APPROVAL_CHANGED');
  expect(await line.call(approvalCalls.detailInfo, { taskAuditId: auditId })).toMatchObject({ changed: true });
  await app.context.unscoped((db) => sql`update rollout_package set sha256 = ${right} where id = ${packageId}`.execute(db));
  const seen = { ...pass(auditId, '12'), contentHash: 'b'.repeat(64) };
  expect(await faultOf(line.send(approvalCalls.auditResult, seen))).toBe('APPROVAL_CHANGED');
  await line.call(approvalCalls.auditResult, pass(auditId, '12'));
  await market.call(approvalCalls.auditResult, pass(auditId, '13'));
  await swap('c');
  expect(await sent(id)).toEqual([]);
  expect(await author.call(taskCalls.detail, { id })).toMatchObject({ state: 'halted', haltReason: 'notAsAgreed' });
  await author.call(taskCalls.recover, { id });
  expect(await sent(id)).toEqual([]);
  await app.context.unscoped((db) => sql`update rollout_package set sha256 = ${right} where id = ${packageId}`.execute(db));
});

test('without a rule releases go out as before; the nearest rule counts, and three rings are asked for', async () => {
  const free = await app.dept('Free Bank', unit);
  const own = await app.person('orgManager', free);
  await makeDevices(app, free, productId, sns(1));
  const { id: ruleId } = await admin.call(auditConfigCalls.add, { deptId: free.id, taskType: '1', enabled: false });
  const draft = { name: 'Free', packageId, scope: { releaseScope: '0' as const }, release: true };
  expect((await own.call(taskCalls.add, draft)).state).toBe('scheduled');
  await admin.call(auditConfigCalls.delete, { id: ruleId });
  const refused = await own.send(taskCalls.add, { ...draft, name: 'Bound' });
  expect(refused.body).toMatchObject({ fault: 'APPROVAL_RINGS' });
  expect((await own.call(taskCalls.preview, { packageId, scope: { releaseScope: '0' } })).approval).toBe(true);
});

test('an organisation says whether the result is right for its own terminals alone; the last one moves it on', async () => {
  const other = await app.dept('Second Bank', unit);
  const second = await app.person('orgManager', other, 'manager');
  const [there = ''] = sns(1);
  await makeDevices(app, other, productId, [there]);
  devices = [...devices, there];
  const { auditId } = await submit({ rings: [{ sns: [devices[0] ?? '', there], openAt: 0 }, { sns: [devices[1] ?? ''], openAt: 0 }, {}] });
  await approve(auditId, 1);
  await settle();
  expect((await second.call(approvalCalls.deviceList, { taskAuditId: auditId })).taskAuditDeviceVoList.map((one) => one.sn)).toEqual([
    there,
  ]);
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  expect(await stepOf(auditId)).toBe('14');
  expect(await faultOf(customer.send(approvalCalls.resultConfirm, pass(auditId, '14')))).toBe('APPROVAL_ROLE');
  await second.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  expect(await stepOf(auditId)).toBe('15');
});

test('a release that is cancelled is asked about no more; one that is taken back may be deleted with its approval', async () => {
  const { id, auditId } = await submit();
  await author.call(taskCalls.cancel, { id });
  expect(await stepOf(auditId)).toBe('51');
  const again = await submit();
  await author.call(approvalCalls.returnToUpdate, { taskAuditId: again.auditId, comment: '' });
  expect(await author.call(taskCalls.detail, { id: again.id })).toMatchObject({ state: 'returned' });
  await author.call(taskCalls.delete, { id: again.id });
  expect((await line.send(approvalCalls.baseInfo, { taskAuditId: again.auditId })).code).toBe(404);
});

test('a release that stands still opens no ring because the next stage is approved; it does by its rules once it goes on', async () => {
  const [first = ''] = devices;
  const rings = [{ sns: [first], openAt: 100 }, { sns: devices.slice(1, 2), openAt: 0 }, { share: 100 }];
  const { id, auditId } = await submit({ rings });
  await approve(auditId, 1);
  expect(await sent(id)).toEqual([first]);
  await customer.call(approvalCalls.resultConfirm, pass(auditId, '14'));
  await author.call(approvalCalls.applyTrial, { taskAuditId: auditId });
  const stands = async () => (await author.call(taskCalls.detail, { id })).rings.map(({ state }) => state);
  expect(await stands()).toEqual(['open', 'later', 'later']);
  await author.call(taskCalls.pause, { id });
  await approve(auditId, 2);
  expect(await sent(id)).toEqual([first]);
  await author.call(taskCalls.recover, { id });
  expect(await sent(id)).toEqual([first]);
  await author.call(taskCalls.openRing, { id, ring: 2 });
  expect(await sent(id)).toEqual(devices.slice(0, 2));
  expect(await stands()).toEqual(['passed', 'approval', 'later']);
});

test('approvers are told how many given serial numbers are no terminals of it, also where not all are named', async () => {
  const strange = Array.from({ length: 203 }, (_, at) => `NOBODY${at}`);
  const { id } = await author.call(taskCalls.add, {
    ...{ name: 'Mistyped', packageId, scope: { releaseScope: '2' as const, sns: [...devices, ...strange] } },
    delivery: { rings: [{ sns: devices, openAt: 0 }, { share: 50 }, {}] },
  });
  await author.call(taskCalls.submit, { id });
  const { content } = await author.call(approvalCalls.page, { criteria: {} });
  const taskAuditId = content.find((one) => one.taskId === id)?.id ?? 0;
  const shown = await author.call(approvalCalls.deviceList, { taskAuditId });
  expect([shown.invalidDeviceList.length, shown.invalidTotal]).toEqual([200, strange.length]);
});
