import { absenceCalls } from '@mooring/contract/approval/absence-calls';
import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { approvalEmailCalls } from '@mooring/contract/approval/email-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type MailBox, mailBox, wordsOf } from '../../../test/mail-server.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { addDept, type DeptAt } from '../org/api.ts';

let app: TestApp;
let box: MailBox;
let unit: DeptAt;
let author: Client;
let ann: Client;
let ben: Client;
let cem: Client;
let nobody: Client;
let packageId = 0;
let serial = 0;

beforeAll(async () => {
  box = await mailBox();
  app = await testApp({ env: { SMTP_URL: box.url, PUBLIC_URL: 'http://127.0.0.1:8080', RATE_PUBLIC: '0' } });
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: { id: 2, path: '1.2.' } }));
  const bank = await app.dept('Harbour Bank', unit);
  [author, ann, ben, cem] = [
    await app.person('regionMaintainer', unit),
    await app.person('regionMaintainer', unit),
    await app.person('regionMaintainer', unit),
    await app.person('regionMaintainer', unit),
  ];
  nobody = clientOf(app.http, '', 0, 'centre', 0);
  const productId = await makeProduct(app, { id: 2, path: '1.2.' });
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '2.0');
  await makeDevices(app, bank, productId, ['SN000001']);
  const admin = await app.person('platformAdmin', app.root, 'manager');
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
});
afterAll(async () => {
  await app.stop();
  await box.stop();
});
beforeEach(() => app.context.unscoped((db) => sql`delete from approval_absence`.execute(db)));

const hours = (count: number) => new Date(app.clock.now.getTime() + count * 3_600_000).toISOString();
const away = (who: Client, delegate: Client, from = 0, until = 48) =>
  who.send(absenceCalls.add, { delegateId: delegate.userId, fromAt: hours(from), untilAt: hours(until) });
async function submit(by = author): Promise<{ id: number; name: string }> {
  serial += 1;
  const name = `Absence ${serial}`;
  const task = await by.call(taskCalls.add, {
    name,
    packageId,
    scope: { releaseScope: '0' },
    delivery: { rings: [{ share: 10 }, { share: 50 }, {}] },
    release: true,
  });
  await app.runJobs();
  const { content } = await ann.call(approvalCalls.page, { criteria: {} });
  return { id: content.find((one) => one.taskId === task.id)?.id ?? 0, name };
}
/** Who has a link to it in their mail, by their number. */
const linksTo = ({ id, name }: { id: number; name: string }) =>
  box.arrived
    .filter((one) => wordsOf(one.raw).includes(name))
    .flatMap((one) => {
      const found = /approveTaskEmail\/1\/email\/1\/\d+\/(\d+)\/(\d+)\?sign=([\w-]+)/.exec(wordsOf(one.raw));
      return found && Number(found[1]) === id ? [{ taskAuditId: id, auditUserId: Number(found[2]), sign: found[3] ?? '' }] : [];
    });
const asked = (of: { id: number; name: string }) =>
  linksTo(of)
    .map((one) => one.auditUserId)
    .sort((a, b) => a - b);
const confirm = (taskAuditId: number) => ({ taskAuditId, auditStep: '11', decision: '0' as const, comment: '' });

test('a delegate is asked instead of who is away, decides on their behalf, and both are named', async () => {
  expect((await away(ann, ben)).code).toBe(200);
  const it = await submit();
  expect(asked(it)).toEqual([ben.userId, cem.userId]);
  expect(await ben.call(approvalCalls.baseInfo, { taskAuditId: it.id })).toMatchObject({ mine: true, standsInFor: ['Person 2'] });
  expect(await cem.call(approvalCalls.baseInfo, { taskAuditId: it.id })).toMatchObject({ mine: true, standsInFor: [] });
  const byMail = await Promise.all(linksTo(it).map((link) => nobody.call(approvalEmailCalls.baseInfo, link)));
  expect(byMail.map(({ approver, standsInFor }) => [approver, standsInFor]).sort()).toEqual([
    ['Person 3', ['Person 2']],
    ['Person 4', []],
  ]);
  await ben.call(approvalCalls.confirm, confirm(it.id));
  const records = await ann.call(approvalCalls.result, { taskAuditId: it.id });
  expect(records.at(-1)).toMatchObject({ event: 'confirm', actor: 'Person 3', onBehalfOf: ['Person 2'] });
});

test('a link in the mail of who is away decides nothing until they are back', async () => {
  const it = await submit();
  const link = linksTo(it).find((one) => one.auditUserId === ann.userId);
  if (!link) throw new Error('no link in the mail');
  const { id } = await ann.call(absenceCalls.add, { delegateId: ben.userId, fromAt: hours(0), untilAt: hours(5) });
  expect((await nobody.send(approvalEmailCalls.baseInfo, link)).body?.fault).toBe('APPROVAL_LINK');
  await ann.call(absenceCalls.end, { id });
  expect(await nobody.call(approvalEmailCalls.baseInfo, link)).toMatchObject({ step: '11' });
});

test('who is there again, or whose delegate goes away too, is asked for what waits', async () => {
  const { body } = await away(ann, ben);
  const it = await submit();
  expect(asked(it)).not.toContain(ann.userId);
  await ann.call(absenceCalls.end, { id: (body as unknown as { id: number }).id });
  await app.runJobs();
  expect(asked(it)).toContain(ann.userId);
  await away(ann, ben);
  const next = await submit();
  await away(ben, cem, 1, 5);
  await app.runJobs();
  expect(asked(next)).not.toContain(ann.userId);
  app.clock.now = new Date(app.clock.now.getTime() + 2 * 3_600_000);
  await app.context.pools.owner.query('update graphile_worker._private_jobs set run_at = now()');
  await app.runJobs();
  expect(asked(next)).toContain(ann.userId);
});

test('it ends by its time, and begins with it', async () => {
  const start = app.clock.now;
  await away(ann, ben, 5, 10);
  expect(asked(await submit())).toContain(ann.userId);
  app.clock.now = new Date(start.getTime() + 6 * 3_600_000);
  expect(asked(await submit())).not.toContain(ann.userId);
  app.clock.now = new Date(start.getTime() + 11 * 3_600_000);
  expect(asked(await submit())).toContain(ann.userId);
});

test('a delegate who lost the role, was disabled, is the author or is away decides for nobody: who is away is asked again', async () => {
  const unscoped = app.context.unscoped;
  await away(ann, ben);
  const own = await submit(ben);
  expect(asked(own)).toContain(ann.userId);
  expect((await ben.send(approvalCalls.confirm, confirm(own.id))).body?.fault).toBe('APPROVAL_OWN');
  await away(ben, cem);
  const chained = await submit();
  expect(asked(chained)).toEqual([ann.userId, cem.userId]);
  expect((await cem.call(approvalCalls.baseInfo, { taskAuditId: chained.id })).standsInFor).toEqual(['Person 3']);
  await unscoped((db) => sql`delete from approval_absence where user_id = ${ben.userId}`.execute(db));
  await unscoped((db) => sql`update account_user set state = '1' where id = ${ben.userId}`.execute(db));
  expect(asked(await submit())).toContain(ann.userId);
  expect((await ann.call(absenceCalls.status)).absences).toMatchObject([{ name: 'Person 3', works: false }]);
  await unscoped((db) => sql`update account_user set state = '0' where id = ${ben.userId}`.execute(db));
  const { rows } = await unscoped((db) =>
    sql<{ role_id: number }>`delete from access_user_role where user_id = ${ben.userId} returning role_id`.execute(db),
  );
  expect(asked(await submit())).toContain(ann.userId);
  for (const { role_id } of rows)
    await unscoped((db) => sql`insert into access_user_role (user_id, role_id) values (${ben.userId}, ${role_id})`.execute(db));
});

test('nobody names themselves, a stranger, another role, a time that is over, or one that is taken', async () => {
  const other = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'South', parent: { id: 2, path: '1.2.' } }));
  const foreign = await app.person('regionMaintainer', other);
  const line = await app.person('productLineAdmin', unit);
  for (const who of [ann, foreign, line]) expect((await away(ann, who)).body?.fault).toBe('DELEGATE_ROLE');
  expect((await away(ann, ben, -5, -1)).body?.fault).toBe('ABSENCE_TIMES');
  expect((await away(ann, ben, 5, 5)).body?.fault).toBe('ABSENCE_TIMES');
  expect((await away(ann, ben, 0, 24 * 400)).body?.fault).toBe('ABSENCE_TIMES');
  expect((await away(ann, ben)).code).toBe(200);
  expect((await away(ann, cem, 10, 90)).body?.fault).toBe('ABSENCE_OVERLAPS');
  expect((await away(ben, ann)).body?.fault).toBe('DELEGATE_AWAY');
  expect((await ann.call(absenceCalls.delegates)).map((one) => one.id)).toEqual([author.userId, ben.userId, cem.userId]);
});

test('two who name each other at once: one of them does', async () => {
  const answers = await Promise.all([away(ann, ben), away(ben, ann)]);
  expect(answers.map((one) => one.code).sort()).toEqual([200, 400]);
});

test('an absence is ended by its own person alone, and once', async () => {
  await away(ann, ben);
  const [it] = (await ann.call(absenceCalls.status)).absences;
  expect((await ben.call(absenceCalls.status)).standsInFor).toMatchObject([{ name: 'Person 2', state: 'active' }]);
  expect((await ben.send(absenceCalls.end, { id: it?.id })).code).toBe(404);
  expect((await ann.send(absenceCalls.end, { id: it?.id })).code).toBe(200);
  expect((await ann.send(absenceCalls.end, { id: it?.id })).code).toBe(404);
});

test('absences that were over a year ago and links that expired 30 days ago are removed', async () => {
  const kept = await submit();
  const old = await submit();
  await app.context.unscoped(async (db) => {
    const now = app.clock.now;
    await sql`update approval_sign set expires_at = ${now}::timestamptz - interval '29 days' where audit_id = ${kept.id}`.execute(db);
    await sql`update approval_sign set expires_at = ${now}::timestamptz - interval '31 days' where audit_id = ${old.id}`.execute(db);
    await sql`insert into approval_absence (user_id, delegate_id, from_at, until_at, ended_at, dept_path)
      select ${ann.userId}, ${ben.userId}, ${now}::timestamptz - interval '800 days', ${now}::timestamptz - make_interval(days => until),
        ${now}::timestamptz - make_interval(days => ended), '1.2.'
      from (values (300, null), (400, null), (-10, 400), (-20, 300)) v(until, ended)`.execute(db);
    await app.context.enqueue(db, 'approval:forget', {});
  });
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ absences: number; kept: number; old: number }>`select (select count(*)::int from approval_absence) as absences,
      (select count(*)::int from approval_sign where audit_id = ${kept.id} and expires_at < ${app.clock.now}) as kept,
      (select count(*)::int from approval_sign where audit_id = ${old.id} and expires_at < ${app.clock.now}) as old`.execute(db),
  );
  expect(rows[0]).toEqual({ absences: 2, kept: linksTo(kept).length, old: 0 });
});
