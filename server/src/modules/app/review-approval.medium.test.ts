import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { absenceCalls } from '@mooring/contract/approval/absence-calls';
import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { taskTypes } from '@mooring/contract/engines/approval/steps';
import { messageCalls } from '@mooring/contract/message/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { migrationsFolder } from '@mooring/database/migrate';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring, describe as say } from './app.factory.ts';

/** The review of a version is an approval: who is asked, who stands in, what is remembered. */
let app: TestApp;
let maker: DeptAt;
let branch: DeptAt;
let developer: Client;
let ann: Client;
let ben: Client;
let admin: Client;
let productId: number;
let serial = 0;
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  branch = await app.dept('Branch', maker);
  developer = await app.person('developer', maker);
  [ann, ben] = [await app.person('reviewer', app.root), await app.person('reviewer', app.root)];
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, app.root);
  await becomeDeveloper(developer, ann);
});
afterAll(() => app.stop());
afterEach(() => query(sql`delete from approval_absence`));

const query = <R>(of: ReturnType<typeof sql<R>>) => app.context.unscoped(async (db) => (await of.execute(db)).rows);
const hours = (count: number) => new Date(app.clock.now.getTime() + count * 3_600_000).toISOString();
const later = (days: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + days * 86_400_000);
};
const away = (who: Client, delegate: Client) =>
  who.send(absenceCalls.add, { delegateId: delegate.userId, fromAt: hours(0), untilAt: hours(200) });

interface Waiting {
  readonly id: number;
  readonly appId: number;
  readonly contentHash: string;
  readonly name: string;
}
async function draft(by = developer, at = maker) {
  serial += 1;
  const made = await bring(app, by, at, { packageName: `com.example.asked${serial}`, versionName: `1.${serial}` });
  await say(by, made, productId);
  return made;
}
async function waiting(by = developer, at = maker): Promise<Waiting> {
  const { id, appId, versionName } = await draft(by, at);
  const { contentHash } = await by.call(appVersionCalls.submit, { id });
  await app.runJobs();
  return { id, appId, contentHash, name: `Till ${versionName}` };
}
/** How often somebody was told of a version. */
const told = async (who: Client, title: string) => {
  await app.runJobs();
  return (await who.call(messageCalls.page, {})).content.filter((one) => one.title === title).length;
};
const askedOf = (who: Client, { name }: Waiting) => told(who, `${name} waits for review`);
const approve = ({ id, contentHash }: Waiting, who: Client, more: object = {}) =>
  who.send(appVersionCalls.approve, { id, contentHash, marketId: app.root.id, publish: false, ...more });
const reject = ({ id, contentHash }: Waiting, who: Client) => who.send(appVersionCalls.reject, { id, contentHash, comment: 'Say more' });
const detail = ({ id }: { id: number }) => developer.call(appVersionCalls.detail, { id });
const stands = async ({ id }: { id: number }) => {
  const [row] = await query<{ step: string; result: string; id: number }>(
    sql`select id, step, result from approval_audit where task_type = '4' and task_id = ${id}`,
  );
  return row;
};
const recorded = async ({ id }: { id: number }) =>
  (
    await query<{ event: string }>(
      sql`select r.event from approval_record r join approval_audit a on a.id = r.audit_id where a.task_type = '4' and a.task_id = ${id} order by r.id`,
    )
  ).map(({ event }) => event);

test('a delegate is asked instead of a reviewer who is away, decides on their behalf, and the history says so', async () => {
  expect((await ann.call(absenceCalls.status)).approves).toBe(true);
  expect((await ann.call(absenceCalls.delegates)).map(({ id }) => id)).toEqual([ben.userId, admin.userId]);
  expect((await away(ann, ben)).code).toBe(200);
  const it = await waiting();
  expect([await askedOf(ann, it), await askedOf(ben, it)]).toEqual([0, 1]);
  expect(await ben.call(appVersionCalls.standsInFor, { id: it.id })).toEqual(['Person 2']);
  expect(await admin.call(appVersionCalls.standsInFor, { id: it.id })).toEqual([]);
  expect((await approve(it, ben, { comment: 'Fine' })).code).toBe(200);
  expect(await detail(it)).toMatchObject({ reviewState: '2', auditResult: '1', decidedBy: 'Person 3', decidedFor: ['Person 2'] });
  const { content } = await developer.call(appVersionCalls.history, { appId: it.appId });
  expect(content[0]).toMatchObject({ event: 'approve', by: 'Person 3', onBehalfOf: ['Person 2'], text: 'Fine' });
  expect(content[1]).toMatchObject({ event: 'submit', onBehalfOf: [] });
  const ofBranch = await app.person('orgManager', branch);
  await reviewAndList(it);
  expect(await ofBranch.call(appVersionCalls.detail, { id: it.id })).toMatchObject({ decidedBy: '', decidedFor: [] });
});
const reviewAndList = async ({ id }: Waiting) => {
  await developer.call(appVersionCalls.publish, { id });
  await settlePublished(app);
};

test('a delegate is a fellow reviewer of one’s own organisation, and none of those who are hidden', async () => {
  const line = { id: 2, path: '1.2.' };
  const [here, fellow] = [await app.person('reviewer', line), await app.person('reviewer', line)];
  const [hidden, bystander] = [await app.person('marketAdmin', line), await app.person('auditor', line)];
  expect((await here.call(absenceCalls.delegates)).map(({ id }) => id)).toEqual([fellow.userId]);
  for (const who of [here, hidden, bystander, ann]) expect(await faultOf(away(here, who))).toBe('DELEGATE_ROLE');
  expect((await bystander.call(absenceCalls.status)).approves).toBe(false);
  // Who approves by a role and reviews besides names whoever reviews as they do.
  expect((await away(hidden, here)).code).toBe(200);
  await query(sql`delete from approval_absence`);
  expect((await away(here, fellow)).code).toBe(200);
});

test('nobody is asked who holds the right only where it is of no use', async () => {
  const elsewhere = await app.person('reviewer', app.root);
  const own = await query<{ id: number }>(sql`insert into access_role (name, code, type, platforms, menus, dept_id, dept_path)
    select 'Only there', 'only-there', type, '{manager}', menus, dept_id, dept_path from access_role where id in
      (select role_id from access_user_role where user_id = ${elsewhere.userId}) limit 1 returning id`);
  await query(sql`update access_user_role set role_id = ${own[0]?.id ?? 0} where user_id = ${elsewhere.userId}`);
  const it = await waiting();
  expect(await askedOf(ann, it)).toBe(1);
  const [asked] = await query<{ users: number[] }>(
    sql`select target -> 'users' as users from message_message where link = ${`/app/version/${it.id}`} order by id desc limit 1`,
  );
  expect([ann.userId, elsewhere.userId].map((id) => asked?.users.includes(id))).toEqual([true, false]);
});

test('one who wrote it stands in for nobody: who is away is asked after all, and no mail has a link that decides', async () => {
  const [boss, other] = [await app.person('orgManager', maker), await app.person('orgManager', maker)];
  const { id, appId, versionName } = await draft();
  await say(other, { id }, productId);
  expect((await away(boss, other)).code).toBe(200);
  const { contentHash } = await developer.call(appVersionCalls.submit, { id });
  const it = { id, appId, contentHash, name: `Till ${versionName}` };
  expect(await askedOf(boss, it)).toBe(1);
  expect(await askedOf(other, it)).toBe(0);
  expect(await other.call(appVersionCalls.standsInFor, { id })).toEqual([]);
  expect(await faultOf(approve(it, other, { marketId: maker.id }))).toBe('APP_OWN_REVIEW');
  expect(await faultOf(reject(it, other))).toBe('APP_OWN_REVIEW');
  expect((await approve(it, boss, { marketId: maker.id })).code).toBe(200);
  expect(await query(sql`select 1 from approval_sign s join approval_audit a on a.id = s.audit_id where a.task_type = '4'`)).toEqual([]);
});

test('who hasn’t decided for two days is reminded once, and of what was decided, taken back or has gone not at all', async () => {
  const [it, decided, back, gone] = [await waiting(), await waiting(), await waiting(), await waiting()];
  expect((await reject(decided, ann)).code).toBe(200);
  await developer.call(appVersionCalls.withdraw, { id: back.id });
  await developer.call(appVersionCalls.withdraw, { id: gone.id });
  await developer.call(appVersionCalls.delete, { id: gone.id });
  const remind = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'approval:remind', {}));
    await app.runJobs();
  };
  await remind();
  expect(await askedOf(ann, it)).toBe(1);
  later(2.1);
  await remind();
  await remind();
  expect([await askedOf(ann, it), await askedOf(ben, it)]).toEqual([2, 2]);
  for (const one of [decided, back, gone]) expect(await askedOf(ann, one)).toBe(1);
  expect((await approve(it, ann)).code).toBe(200);
});

test('nobody who may decide: its author and whoever keeps the rules are told once', async () => {
  const at = await app.dept('Alone');
  const theirs = await app.person('developer', at);
  await becomeDeveloper(theirs, ann);
  const disabled = (state: string) => query(sql`update account_user set state = ${state} where dept_path in ('1.', '1.2.')`);
  await disabled('1');
  const it = await waiting(theirs, at);
  await disabled('0');
  expect(await told(theirs, `No one can approve “${it.name}”`)).toBe(1);
  expect(await askedOf(ann, it)).toBe(0);
  expect((await approve(it, ann)).code).toBe(200);
});

test('an approval follows its version through each of its states', async () => {
  const it = await draft();
  expect(await stands(it)).toBeUndefined();
  const submit = async () => ({ ...it, name: '', contentHash: (await developer.call(appVersionCalls.submit, { id: it.id })).contentHash });
  const first = await submit();
  expect(await stands(it)).toMatchObject({ step: '33', result: '0' });
  await developer.call(appVersionCalls.withdraw, { id: it.id });
  expect(await stands(it)).toMatchObject({ step: '30', result: '0' });
  expect(await faultOf(approve(first, ann))).toBe('OVERTAKEN');
  expect(await faultOf(developer.send(appVersionCalls.withdraw, { id: it.id }))).toBe('OVERTAKEN');
  expect((await reject(await submit(), ann)).code).toBe(200);
  expect(await stands(it)).toMatchObject({ step: '36', result: '2' });
  await say(developer, it, productId);
  expect(await stands(it)).toMatchObject({ step: '30' });
  expect((await approve(await submit(), ann)).code).toBe(200);
  expect(await stands(it)).toMatchObject({ step: '34', result: '1' });
  await ann.call(appVersionCalls.delist, { id: it.id, comment: 'Old' });
  expect(await stands(it)).toMatchObject({ step: '51' });
  const { contentHash } = await developer.call(appVersionCalls.relist, { id: it.id, comment: 'New again' });
  expect(await stands(it)).toMatchObject({ step: '33', result: '0' });
  expect((await approve({ ...it, name: '', contentHash }, ben)).code).toBe(200);
  await ben.call(appVersionCalls.delist, { id: it.id, comment: 'Old' });
  await say(developer, it, productId);
  expect(await stands(it)).toMatchObject({ step: '30' });
  expect(await recorded(it)).toEqual([
    ...['apply', 'cancelFull', 'apply', 'refuse', 'edit', 'apply', 'approveMarket', 'end'],
    ...['apply', 'approveMarket', 'end', 'edit'],
  ]);
});

test('whoever relists a version doesn’t judge it; once another has, they may again', async () => {
  const it = await waiting();
  await approve(it, ann);
  await ann.call(appVersionCalls.delist, { id: it.id, comment: 'Old' });
  const mine = { ...it, contentHash: (await ann.call(appVersionCalls.relist, { id: it.id })).contentHash };
  expect(await faultOf(approve(mine, ann))).toBe('APP_OWN_REVIEW');
  expect((await approve(mine, ben)).code).toBe(200);
  await ben.call(appVersionCalls.delist, { id: it.id, comment: 'Old' });
  const again = { ...it, contentHash: (await developer.call(appVersionCalls.relist, { id: it.id })).contentHash };
  expect((await approve(again, ann)).code).toBe(200);
});

test('what was sent back says, once it is submitted again, which of its parts are others', async () => {
  const it = await waiting();
  const changes = async (who = ann) => (await who.call(appVersionCalls.compare, { id: it.id })).changes;
  expect(await changes()).toEqual([]);
  expect((await reject(it, ann)).code).toBe(200);
  const listing = { en: { name: 'Till', summary: 'Takes all payments', description: '**Fast**', whatsNew: '' } };
  await say(developer, it, productId, { listing });
  expect(await changes(developer)).toEqual(['listing']);
  await say(developer, it, await makeProduct(app, app.root), { listing });
  await developer.call(appVersionCalls.submit, { id: it.id });
  expect(await changes()).toEqual(['listing', 'productIds']);
});

test('of two reviewers at once one decides, and the other is told', async () => {
  const it = await waiting();
  const answers = await Promise.all([faultOf(approve(it, ann)), faultOf(reject(it, ben))]);
  expect(answers.map(String).toSorted()).toEqual(['200', 'OVERTAKEN']);
  expect((await recorded(it)).length).toBe(2);
  expect((await detail(it)).reviewState).toBe(answers[0] === 200 ? '2' : '3');
});

test('approvals of releases list no review of an app, and no rule is made for it', async () => {
  const it = await waiting();
  const { id = 0 } = (await stands(it)) ?? {};
  const here = await app.person('platformAdmin', app.root, 'manager');
  for (const who of [admin, here, await app.person('marketAdmin', { id: 2, path: '1.2.' })]) {
    expect((await who.call(approvalCalls.page, { criteria: {} })).content).toEqual([]);
    expect(await who.call(approvalCalls.taskCount)).toBe(0);
    expect(await faultOf(who.send(approvalCalls.baseInfo, { taskAuditId: id }))).toBe('NOT_FOUND');
    expect(await faultOf(who.send(approvalCalls.page, { criteria: { taskType: { is: taskTypes.app } } }))).toBe('BAD_INPUT');
  }
  const decision = { taskAuditId: id, auditStep: '33' as const, decision: '0' as const, comment: '' };
  expect(await faultOf(admin.send(approvalCalls.auditResult, decision))).toBe('NOT_FOUND');
  const rule = { deptId: 2, taskType: taskTypes.app, enabled: true };
  expect(await faultOf(here.send(auditConfigCalls.add, rule))).toBe('BAD_INPUT');
  expect(await stands(it)).toMatchObject({ step: '33' });
});

test('a reviewer of another organisation is told of none, and one of a branch neither', async () => {
  const it = await waiting();
  for (const at of [await app.dept('Other'), branch]) {
    const who = await app.person('orgManager', at);
    expect(await faultOf(approve(it, who, { marketId: at.id }))).toBe('NOT_FOUND');
    expect(await faultOf(reject(it, who))).toBe('NOT_FOUND');
    expect(await faultOf(who.send(appVersionCalls.standsInFor, { id: it.id }))).toBe('NOT_FOUND');
    expect(await askedOf(who, it)).toBe(0);
  }
});

test('what waited before reviews were approvals is decided after the update, and nothing else gets one', async () => {
  const [it, other] = [await waiting(), await waiting()];
  await approve(other, ann);
  await query(sql`delete from approval_audit`);
  await app.context.pools.owner.query(readFileSync(join(migrationsFolder, '0995-app-reviews.sql'), 'utf8'));
  expect(await stands(it)).toMatchObject({ step: '33', result: '0' });
  expect(await recorded(it)).toEqual(['apply']);
  expect(await stands(other)).toBeUndefined();
  expect(await askedOf(ann, it)).toBe(1);
  expect((await approve(it, ben)).code).toBe(200);
  expect(await recorded(it)).toEqual(['apply', 'approveMarket']);
  await ann.call(appVersionCalls.delist, { id: other.id, comment: 'Old' });
  await developer.call(appVersionCalls.relist, { id: other.id });
  expect(await stands(other)).toMatchObject({ step: '33' });
});

test('what a server of the version before handed in or decided meanwhile stands, and is decided on as it stands', async () => {
  const set = (id: number, values: object) =>
    app.context.unscoped((db) => db.updateTable('app_version').set(values).where('id', '=', id).execute());
  const [unknown, decided, again] = [await waiting(), await waiting(), await waiting()];
  await query(sql`delete from approval_audit where task_type = '4' and task_id = ${unknown.id}`);
  await set(decided.id, { review_state: '3' });
  await set(again.id, { review_state: '1', content_hash: 'a'.repeat(64) });
  expect((await approve(unknown, ann)).code).toBe(200);
  expect(await faultOf(approve(decided, ann))).toBe('OVERTAKEN');
  later(2.1);
  await app.context.unscoped((db) => app.context.enqueue(db, 'approval:remind', {}));
  expect(await askedOf(ann, decided)).toBe(1);
  await say(developer, decided, productId);
  const { contentHash } = await developer.call(appVersionCalls.submit, { id: decided.id });
  expect((await approve({ ...decided, contentHash }, ann)).code).toBe(200);
  expect(await faultOf(approve({ ...again, contentHash: 'a'.repeat(64) }, ann))).toBe('APP_CHANGED');
  expect((await reject({ ...again, contentHash: 'a'.repeat(64) }, ann)).code).toBe(200);
});

test('an approval of one content never stands for another that it approved meanwhile', async () => {
  const it = await waiting();
  expect((await approve(it, ann)).code).toBe(200);
  const other = 'b'.repeat(64);
  await app.context.unscoped((db) =>
    db
      .updateTable('app_version')
      .set({ content_hash: other, submitted_by_id: ben.userId, submitted_by: 'Person 3' })
      .where('id', '=', it.id)
      .execute(),
  );
  await ann.call(appVersionCalls.delist, { id: it.id, comment: 'Old' });
  expect(await recorded(it)).toEqual(['apply', 'approveMarket', 'end', 'edit', 'apply', 'approveMarket', 'end']);
  const handedIn = await query<{ content_hash: string; agreed: boolean; author_id: number }>(
    sql`select p.content_hash, p.approved_at is not null as agreed, a.author_id from approval_application p join approval_audit a on a.id = p.audit_id
      where a.task_type = '4' and a.task_id = ${it.id} order by p.id`,
  );
  expect(handedIn).toEqual([
    { content_hash: it.contentHash, agreed: true, author_id: ben.userId },
    { content_hash: other, agreed: true, author_id: ben.userId },
  ]);
});

test('what it handed in is asked about by itself, and what it decided or deleted no more', async () => {
  const set = (id: number, values: object) =>
    app.context.unscoped((db) => db.updateTable('app_version').set(values).where('id', '=', id).execute());
  const [unknown, decided, gone] = [await waiting(), await waiting(), await waiting()];
  await query(sql`delete from approval_audit where task_type = '4' and task_id = ${unknown.id}`);
  await set(decided.id, { review_state: '3' });
  await set(gone.id, { deleted_at: app.clock.now });
  const follow = () => app.context.unscoped((db) => app.context.enqueue(db, 'app:followReviews', {}));
  await follow();
  expect(await askedOf(ann, unknown)).toBe(2);
  expect(await stands(unknown)).toMatchObject({ step: '33' });
  expect(await stands(decided)).toMatchObject({ step: '36', result: '2' });
  expect(await recorded(decided)).toEqual(['apply', 'return']);
  expect(await stands(gone)).toBeUndefined();
  await follow();
  expect(await askedOf(ann, unknown)).toBe(2);
  expect(await ben.call(appVersionCalls.standsInFor, { id: unknown.id })).toEqual([]);
  expect((await approve(unknown, ben)).code).toBe(200);
});

test('an approval goes along where its organisation is merged, and is forgotten with its version', async () => {
  const [from, into] = [await app.dept('Old maker'), await app.dept('New maker')];
  const theirs = await app.person('developer', from);
  await becomeDeveloper(theirs, ann);
  const it = await waiting(theirs, from);
  await admin.call(deptCalls.merge, { id: from.id, into: into.id });
  await app.runJobs();
  const [row] = await query<{ dept_id: number; dept_path: string }>(
    sql`select dept_id, dept_path from approval_audit where task_type = '4' and task_id = ${it.id}`,
  );
  expect(row).toEqual({ dept_id: into.id, dept_path: into.path });
  const boss = await app.person('orgManager', into);
  expect((await reject(it, boss)).code).toBe(200);
  await boss.call(appVersionCalls.delete, { id: it.id });
  expect(await stands(it)).toBeUndefined();
});
