import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { approvalEmailCalls } from '@mooring/contract/approval/email-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type MailBox, mailBox, wordsOf } from '../../../test/mail-server.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { direct } from '../file/upload.factory.ts';
import { addDept, type DeptAt } from '../org/api.ts';

let app: TestApp;
let box: MailBox;
let unit: DeptAt;
let author: Client;
let region: Client;
let admin: Client;
let nobody: Client;
let packageId = 0;
let serial = 0;

beforeAll(async () => {
  box = await mailBox();
  app = await testApp({ env: { SMTP_URL: box.url, PUBLIC_URL: 'http://127.0.0.1:8080', RATE_PUBLIC: '0' } });
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: { id: 2, path: '1.2.' } }));
  const bank = await app.dept('Harbour Bank', unit);
  author = await app.person('regionMaintainer', unit);
  region = await app.person('regionMaintainer', unit);
  nobody = clientOf(app.http, '', 0, 'centre', 0);
  const productId = await makeProduct(app, { id: 2, path: '1.2.' });
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '2.0');
  await makeDevices(app, bank, productId, ['SN000001']);
  admin = await app.person('platformAdmin', app.root, 'manager');
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
});
afterAll(async () => {
  await app.stop();
  await box.stop();
});

interface Link {
  readonly taskAuditId: number;
  readonly auditUserId: number;
  readonly sign: string;
}
/** Hands a release in, and takes the link out of the mail that arrived. */
async function mailed(files: number[] = []): Promise<Link & { id: number; hash: string }> {
  serial += 1;
  const { id } = await author.call(taskCalls.add, {
    name: `By mail ${serial}`,
    packageId,
    scope: { releaseScope: '0' },
    delivery: { rings: [{ share: 10 }, { share: 50 }, {}] },
  });
  await author.call(taskCalls.submit, { id, files });
  await app.runJobs();
  const link = linkIn(serial);
  const { contentHash: hash } = await region.call(approvalCalls.detailInfo, { taskAuditId: link.taskAuditId });
  return { ...link, id, hash };
}
function linkIn(no: number): Link {
  const arrived = box.arrived.filter((one) => one.to.includes(emailOf(region)) && wordsOf(one.raw).includes(`By mail ${no}`));
  const found = /approveTaskEmail\/1\/email\/1\/\d+\/(\d+)\/(\d+)\?sign=([\w-]+)/.exec(wordsOf(arrived.at(-1)?.raw ?? ''));
  if (!found) throw new Error('no link in the mail');
  return { taskAuditId: Number(found[1]), auditUserId: Number(found[2]), sign: found[3] ?? '' };
}
// The second person of this test.
const emailOf = (_client: Client) => 'person2@example.com';
const signed = ({ taskAuditId, auditUserId, sign }: Link) => ({ taskAuditId, auditUserId, sign });
const decide = (link: Link & { hash: string }, decision: '0' | '1' = '0') =>
  nobody.send(approvalEmailCalls.auditResult, { ...signed(link), decision, contentHash: link.hash, comment: 'From my phone' });

test('a mail that really went out shows what is asked, and decides once', async () => {
  const link = await mailed();
  expect(await nobody.call(approvalEmailCalls.baseInfo, signed(link))).toMatchObject({ step: '11', approver: 'Person 2' });
  expect(await nobody.call(approvalEmailCalls.detailInfo, signed(link))).toMatchObject({ contentHash: link.hash, changed: false });
  expect(await nobody.call(approvalEmailCalls.deviceList, signed(link))).toMatchObject({ total: 1 });
  expect((await decide(link)).code).toBe(200);
  expect(await region.call(approvalCalls.baseInfo, { taskAuditId: link.taskAuditId })).toMatchObject({ step: '12' });
  const records = await region.call(approvalCalls.result, { taskAuditId: link.taskAuditId });
  expect(records.at(-1)).toMatchObject({ event: 'confirm', actor: 'Person 2', way: 'email', comment: 'From my phone' });
  expect((await decide(link)).body?.fault).toBe('APPROVAL_LINK');
  expect((await nobody.send(approvalEmailCalls.baseInfo, signed(link))).body?.fault).toBe('APPROVAL_LINK');
});

test('the link is nowhere but in the mail', async () => {
  const link = await mailed();
  const { rows } = await app.context.unscoped((db) =>
    sql`select 1 from audit_entry where input::text like ${`%${link.sign}%`} union all
        select 1 from mail_message where body_text || body_html || coalesce(shown_text, '') like ${`%${link.sign}%`} union all
        select 1 from approval_sign where encode(sign_hash, 'escape') like ${`%${link.sign}%`}`.execute(db),
  );
  expect(rows).toEqual([]);
});

test('an altered link, of another person, another approval or another step, is refused with one answer', async () => {
  const [link, other] = [await mailed(), await mailed()];
  const wrong = [
    { ...link, sign: `${link.sign.slice(0, -1)}${link.sign.endsWith('A') ? 'B' : 'A'}` },
    { ...link, auditUserId: author.userId },
    { ...link, taskAuditId: other.taskAuditId },
    { ...link, sign: 'x'.repeat(43) },
  ];
  for (const one of wrong) expect((await decide({ ...one, hash: link.hash })).body?.fault).toBe('APPROVAL_LINK');
  await region.call(approvalCalls.confirm, { taskAuditId: link.taskAuditId, auditStep: '11', decision: '0', comment: '' });
  expect((await decide(link)).body?.fault).toBe('APPROVAL_LINK');
  expect(await region.call(approvalCalls.baseInfo, { taskAuditId: other.taskAuditId })).toMatchObject({ step: '11' });
});

test('a file of the history opens by the link, as long as that works, and none besides', async () => {
  const plan = Buffer.from('change plan');
  const { body } = await direct(app.http, author, { type: '8', name: 'plan.pdf', bytes: plan });
  const { body: unsaid } = await direct(app.http, author, { type: '8', name: 'draft.pdf', bytes: Buffer.from('not given') });
  const [fileId, notGiven] = [body?.id ?? 0, unsaid?.id ?? 0];
  const [link, other] = [await mailed([fileId]), await mailed()];
  const open = (of: Link, id = fileId) => nobody.send(approvalEmailCalls.file, { ...signed(of), fileId: id });
  const [applied] = await nobody.call(approvalEmailCalls.result, signed(link));
  expect(applied?.files).toEqual([{ id: fileId, name: 'plan.pdf', size: plan.length }]);
  const { url } = (await open(link)).body as unknown as { url: string };
  const answer = await app.http.inject({ method: 'GET', url: `/ops${url}` });
  const { rows } = await app.context.unscoped((db) =>
    sql`select actor_id as user_id, actor_name as user_name, after from audit_entry where call like '%/email/file' order by id desc limit 1`.execute(
      db,
    ),
  );
  expect(rows).toEqual([{ user_id: region.userId, user_name: 'Person 2', after: { file: 'plan.pdf' } }]);
  const until = Number(url.split('.')[1]) * 1000;
  expect(until - app.clock.now.getTime()).toBeLessThanOrEqual(60_000);
  expect([answer.rawPayload, answer.headers['content-type']]).toEqual([plan, 'application/octet-stream']);
  const faults = async (of: Link, id?: number) => (await open(of, id)).body?.fault;
  expect([await faults(other), await faults(link, notGiven)]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  const altered = { ...link, sign: `${link.sign.slice(0, -1)}${link.sign.endsWith('A') ? 'B' : 'A'}` };
  expect([await faults(altered), await faults({ ...link, auditUserId: author.userId })]).toEqual(['APPROVAL_LINK', 'APPROVAL_LINK']);
  expect((await decide(link)).code).toBe(200);
  expect(await faults(link)).toBe('APPROVAL_LINK');
  const late = await mailed([fileId]);
  await app.context.unscoped((db) =>
    sql`update approval_sign set expires_at = ${app.clock.now}::timestamptz - interval '1 minute' where audit_id = ${late.taskAuditId}`.execute(
      db,
    ),
  );
  expect(await faults(late)).toBe('APPROVAL_LINK');
});

test('two who open one link at once decide once', async () => {
  const link = await mailed();
  const codes = (await Promise.all([decide(link), decide(link, '1')])).map((answer) => answer.code).sort();
  expect(codes).toEqual([200, 400]);
});

test('a link is over after its week, with the role, and with a change of what it was for', async () => {
  const [late, left, changed] = [await mailed(), await mailed(), await mailed()];
  const unscoped = app.context.unscoped;
  await unscoped((db) =>
    sql`update approval_sign set expires_at = now() - interval '1 minute' where audit_id = ${late.taskAuditId}`.execute(db),
  );
  expect((await decide(late)).body?.fault).toBe('APPROVAL_LINK');
  await unscoped((db) => sql`update rollout_task set remark = 'Other' where id = ${changed.id}`.execute(db));
  expect(await nobody.call(approvalEmailCalls.detailInfo, signed(changed))).toMatchObject({ changed: true });
  expect((await decide(changed)).body?.fault).toBe('APPROVAL_CHANGED');
  expect((await decide(changed, '1')).code).toBe(200);
  const roles = await unscoped((db) =>
    sql<{ role_id: number }>`delete from access_user_role where user_id = ${left.auditUserId} returning role_id`.execute(db),
  );
  expect((await decide(left)).body?.fault).toBe('APPROVAL_LINK');
  for (const { role_id } of roles.rows)
    await unscoped((db) => sql`insert into access_user_role (user_id, role_id) values (${left.auditUserId}, ${role_id})`.execute(db));
});

test('who hasn’t decided for two days is reminded once', async () => {
  const link = await mailed();
  const sent = () => box.arrived.filter((one) => wordsOf(one.raw).includes(`By mail ${serial}`)).length;
  expect(sent()).toBe(1);
  app.clock.now = new Date(app.clock.now.getTime() + 2.1 * 86_400_000);
  await app.context.unscoped((db) => app.context.enqueue(db, 'approval:remind', {}));
  await app.runJobs();
  expect(sent()).toBe(2);
  await app.context.unscoped((db) => app.context.enqueue(db, 'approval:remind', {}));
  await app.runJobs();
  expect(sent()).toBe(2);
  expect((await decide(link)).code).toBe(200);
});

test('a mail warns before a limit passes, and another says till when it was extended, each with a link that decides', async () => {
  const hour = 3_600_000;
  await app.context.unscoped((db) => sql`update approval_config set hours1 = 4`.execute(db));
  const link = await mailed();
  const about = () => box.arrived.map((one) => wordsOf(one.raw)).filter((words) => words.includes(`By mail ${serial}`));
  app.clock.now = new Date(app.clock.now.getTime() + 3.2 * hour);
  await app.context.unscoped((db) => app.context.enqueue(db, 'approval:limits', {}));
  await app.runJobs();
  expect(about().at(-1)).toContain('It is due by');
  expect(linkIn(serial).sign).not.toBe(link.sign);
  const dueAt = new Date(app.clock.now.getTime() + 30 * hour).toISOString();
  await admin.call(approvalCalls.extend, { taskAuditId: link.taskAuditId, auditStep: '11', dueAt, comment: 'Holiday' });
  await app.runJobs();
  expect(about().at(-1)).toContain('Your decision on the release');
  expect((await decide({ ...link, ...linkIn(serial) })).code).toBe(200);
});
