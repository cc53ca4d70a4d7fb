import { buffer } from 'node:stream/consumers';
import { menuCalls } from '@mooring/contract/access/calls';
import { reviewCalls } from '@mooring/contract/access/review-calls';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { logCalls } from '@mooring/contract/audit-log/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { seededRole } from '../access/api.ts';
import { openSession } from '../auth/api.ts';
import type { DeptAt } from '../org/api.ts';

const DAY = 86_400_000;
let app: TestApp;
let admin: Client;
let bank: DeptAt;
let other: DeptAt;
let manager: Client;
let member: Client;
let memberRole = 0;

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  const region = await admin.call(deptCalls.add, { parentId: 2, name: 'Region' });
  const at = { id: region.id, path: `1.2.${region.id}.` };
  bank = await app.dept('Bank', at);
  other = await app.dept('Other bank', at);
  manager = await app.person('orgManager', bank);
  member = await app.person('orgMember', bank);
  memberRole = await app.context.unscoped((db) => seededRole(db, 'orgMember'));
});
afterAll(() => app.stop());

const rowsOf = async (client: Client, criteria: object = {}) =>
  (await client.call(reviewCalls.page, { criteria, page: { size: 100 } })).content;
const only = async (client: Client, userId: number, kind = 'role') => {
  const row = (await rowsOf(client, { kind })).find((one) => one.userId === userId && one.state !== 'withdrawn');
  if (!row) throw new Error(`no ${kind} of ${userId}`);
  return row;
};
const faultOf = async (asked: ReturnType<Client['send']>) => (await asked).body?.fault;
/** Somebody signs in anew: sessions end, and proofs of who one is grow old, as the clock goes on. */
const again = async (of: Client, platform: 'centre' | 'manager' = 'centre') => {
  const token = await app.context.unscoped((db) => openSession(db, of.userId, platform, '127.0.0.1', 'test'));
  return clientOf(app.http, token, of.userId, platform, platform === 'centre' ? 0 : 1);
};
const remind = async () => {
  await app.context.unscoped((db) => app.context.enqueue(db, 'review:remind', {}));
  await app.runJobs();
};
const told = (userId: number) =>
  app.context.unscoped(
    async (db) =>
      (
        await sql<{ said: string; n: number }>`
    select m.text_key as said, coalesce((m.params ->> 'due')::int, (m.params ->> 'overdue')::int) as n
    from message_delivery d join message_message m on m.id = d.message_id where d.user_id = ${userId} and m.text_key like 'review%' order by m.id`.execute(
          db,
        )
      ).rows,
  );

test('each right is listed with who gave it, how and when: roles, managed organisations, tokens, trusteeships', async () => {
  const { id } = await manager.call(memberCalls.add, {
    account: 'fresh.one',
    userName: 'Fresh One',
    deptId: bank.id,
    roleIds: [memberRole],
  });
  await admin.call(memberCalls.update, { id, userName: 'Fresh One', deptId: bank.id, roleIds: [memberRole], managedDeptIds: [other.id] });
  await manager.call(tokenCalls.add, { name: 'Till', scopes: ['device:device:page'] });
  const until = new Date(app.clock.now.getTime() + 30 * DAY).toISOString();
  await manager.call(trustCalls.give, { deptId: bank.id, trusteeId: other.id, until });
  expect(await only(admin, id)).toMatchObject({
    account: 'fresh.one',
    what: 'Organisation member',
    way: 'member',
    grantedBy: expect.stringContaining('Person'),
    deptName: 'Bank',
    state: 'current',
    allowedActions: ['confirm', 'withdraw'],
  });
  expect(await only(admin, id, 'managed')).toMatchObject({ what: 'Other bank' });
  expect(await only(admin, manager.userId, 'token')).toMatchObject({ what: 'Till', way: 'own', menuCount: 1 });
  expect((await rowsOf(admin, { kind: 'trust' }))[0]).toMatchObject({ holder: 'Other bank', what: 'Bank', way: 'trust' });
  // An organisation sees its own people alone, and nothing of who may not be seen.
  expect(new Set((await rowsOf(manager)).map((row) => row.deptName))).toEqual(new Set(['Bank']));
  const hidden = await app.person('marketAdmin', app.root);
  const region = await app.person('regionMaintainer', app.root);
  expect((await rowsOf(region)).some((row) => row.userId === hidden.userId)).toBe(false);
});

test('filtered by person, role, permission, organisation, way and state', async () => {
  const all = await rowsOf(admin);
  expect((await rowsOf(admin, { text: 'fresh.one' })).every((row) => row.account === 'fresh.one')).toBe(true);
  expect((await rowsOf(admin, { roleId: memberRole })).every((row) => row.what === 'Organisation member')).toBe(true);
  const mayUpdate = await rowsOf(admin, { menu: 'access:role:update' });
  expect(mayUpdate.some((row) => row.userId === manager.userId) && !mayUpdate.some((row) => row.userId === member.userId)).toBe(true);
  expect((await rowsOf(admin, { deptId: bank.id })).length).toBeLessThan(all.length);
  expect((await rowsOf(admin, { way: 'system' })).some((row) => row.userId === manager.userId)).toBe(true);
  expect(await rowsOf(admin, { state: 'overdue' })).toEqual([]);
});

test('nobody decides on their own, nor on those who hold more; and not without the permission', async () => {
  const own = await only(manager, manager.userId);
  expect(own.allowedActions).toEqual([]);
  expect(await faultOf(manager.send(reviewCalls.confirm, { id: own.id }))).toBe('MEMBER_SELF');
  const top = await app.person('platformAdmin', bank);
  const above = await only(manager, top.userId);
  for (const call of [reviewCalls.confirm, reviewCalls.withdraw])
    expect(await faultOf(manager.send(call, { id: above.id }))).toBe('MEMBER_ABOVE');
  expect((await member.send(reviewCalls.confirm, { id: own.id })).code).toBe(403);
  const both = await manager.call(reviewCalls.withdrawMany, { of: { ids: [own.id, above.id] } });
  expect(both).toMatchObject({ total: 2, done: 0, refused: 2 });
});

test('withdrawn: gone at once, the decision is kept and stands in the log; given again it begins anew', async () => {
  const leaving = await app.person('orgMember', bank);
  const row = await only(manager, leaving.userId);
  expect(await manager.call(reviewCalls.withdraw, { id: row.id })).toMatchObject({ state: 'withdrawn', what: 'Organisation member' });
  expect(await faultOf(leaving.send(menuCalls.nav, { menuType: 'centre' }))).toBe('NO_MENU');
  expect(await faultOf(manager.send(reviewCalls.withdraw, { id: row.id }))).toBe('OVERTAKEN');
  const [entry] = (await manager.call(logCalls.page, { criteria: { domain: 'access' } })).content;
  expect(entry).toMatchObject({ call: '/sys/review/withdraw', target: expect.stringContaining('Organisation member') });
  await manager.call(memberCalls.update, { id: leaving.userId, userName: 'Back', deptId: bank.id, roleIds: [memberRole] });
  const states = (await rowsOf(manager, { kind: 'role' })).filter((one) => one.userId === leaving.userId).map((one) => one.state);
  expect(states.sort()).toEqual(['current', 'withdrawn']);
});

test('a token, a managed organisation and a trusteeship end with their withdrawal', async () => {
  const ids = (await rowsOf(admin)).filter((row) => row.kind !== 'role').map((row) => row.id);
  expect(await admin.call(reviewCalls.withdrawMany, { of: { ids } })).toMatchObject({ done: 3, refused: 0 });
  expect((await manager.call(tokenCalls.page, {})).content[0]?.state).toBe('revoked');
  expect((await manager.call(trustCalls.page, {})).content[0]?.state).toBe('ended');
  const left = await app.context.unscoped((db) =>
    db.selectFrom('access_managed_dept').selectAll().where('dept_id', '=', other.id).execute(),
  );
  expect(left).toEqual([]);
});

test('two administrators who take each other’s role away leave one', async () => {
  await app.context.unscoped((db) =>
    sql`delete from access_user_role ur using access_role r where r.id = ur.role_id and r.code = 'platformAdmin' and ur.user_id <> ${admin.userId}`.execute(
      db,
    ),
  );
  const second = await app.person('platformAdmin', app.root);
  const [mine, theirs] = [await only(second, admin.userId), await only(admin, second.userId)];
  const answers = await Promise.all([
    second.send(reviewCalls.withdraw, { id: mine.id }),
    admin.send(reviewCalls.withdraw, { id: theirs.id }),
  ]);
  expect(answers.map((one) => one.code === 200).sort()).toEqual([false, true]);
  const gone = answers[0]?.code === 200 ? admin : second;
  const role = await app.context.unscoped((db) => seededRole(db, 'platformAdmin'));
  await app.context.unscoped((db) =>
    db
      .insertInto('access_user_role')
      .values({ user_id: gone.userId, role_id: role })
      .onConflict((on) => on.doNothing())
      .execute(),
  );
});

test('the only administrator confirms their own, whom nobody else could; beside another one they don’t', async () => {
  const own = await only(admin, admin.userId);
  expect(await faultOf(admin.send(reviewCalls.confirm, { id: own.id }))).toBe('MEMBER_SELF');
  await app.context.unscoped((db) =>
    sql`update account_user set state = '1' where id <> ${admin.userId} and id in (
      select ur.user_id from access_user_role ur join access_role r on r.id = ur.role_id where r.code = 'platformAdmin')`.execute(db),
  );
  expect((await only(admin, admin.userId)).allowedActions).toEqual(['confirm']);
  expect(await admin.call(reviewCalls.confirm, { id: own.id })).toMatchObject({ state: 'current', decidedBy: expect.any(String) });
  expect(await faultOf(admin.send(reviewCalls.withdraw, { id: own.id }))).toBe('MEMBER_SELF');
});

test('those nearest are reminded before the day, on it, and weekly until it is confirmed; a longer interval takes it back', async () => {
  const started = app.clock.now;
  const at = (days: number) => {
    app.clock.now = new Date(started.getTime() + days * DAY);
  };
  await remind();
  expect(await told(manager.userId)).toEqual([]);
  at(345);
  await remind();
  await remind();
  expect((await told(manager.userId)).map((one) => one.said)).toEqual(['reviewDue']);
  expect((await told(member.userId)).length).toBe(0);
  at(367);
  await remind();
  at(370);
  await remind();
  at(375);
  await remind();
  expect((await told(manager.userId)).map((one) => one.said)).toEqual(['reviewDue', 'reviewOverdue', 'reviewOverdue']);
  const mails = await app.context.unscoped((db) =>
    db.selectFrom('mail_message').select('id').where('user_id', '=', manager.userId).where('template', '=', 'message').execute(),
  );
  expect(mails.length).toBe(3);
  manager = await again(manager);
  const overdue = await rowsOf(manager, { state: 'overdue' });
  expect((await manager.call(menuCalls.counts)).review).toBe(overdue.length);
  // All that may be decided here is confirmed at once; one's own waits for somebody above.
  const outcome = await manager.call(reviewCalls.confirmMany, { of: { criteria: { state: 'overdue' } } });
  expect(outcome.failed.every((one) => one.fault === 'MEMBER_SELF' || one.fault === 'MEMBER_ABOVE')).toBe(true);
  expect(await only(manager, member.userId)).toMatchObject({
    state: 'current',
    decidedBy: expect.stringContaining('Person'),
    dueAt: expect.stringMatching(/^20/),
  });
  admin = await again(admin);
  expect((await rowsOf(admin, { state: 'overdue' })).some((row) => row.userId === manager.userId)).toBe(true);
  const settings = await again(admin, 'manager');
  await settings.call(systemSettingCalls.accessReview, { months: 24, remindDays: 14 });
  await remind();
  expect(await rowsOf(admin, { state: 'overdue' })).toEqual([]);
});

test('exported as a sheet', async () => {
  const { work } = await manager.call(reviewCalls.export, {
    criteria: {},
    format: 'csv',
    columns: ['account', 'what', 'way', 'state', 'dueAt'],
  });
  await app.runJobs();
  const done = (await manager.call(backgroundJobCalls.page, {})).content.find((one) => one.id === work);
  expect(done).toMatchObject({ state: 'done' });
  const file = await app.context.unscoped((db) =>
    db.selectFrom('file_file').select('sha256').orderBy('id', 'desc').executeTakeFirstOrThrow(),
  );
  const text = (await buffer(await openStore(app.context.config, app.context.counts).read(file.sha256 ?? ''))).toString();
  expect(text).toContain('Organisation manager');
  expect(await faultOf(manager.send(reviewCalls.export, { criteria: {}, columns: ['nothing'] }))).toBe('EXPORT_COLUMN');
});

test('a role that goes takes its rows along', async () => {
  const { id } = await admin.call(roleCalls.add, { name: 'Short', menus: ['welcome'], platforms: ['centre'] });
  await app.context.unscoped((db) => db.insertInto('access_user_role').values({ user_id: member.userId, role_id: id }).execute());
  expect((await rowsOf(admin, { roleId: id })).length).toBe(1);
  await app.context.unscoped((db) => db.deleteFrom('access_role').where('id', '=', id).execute());
  expect(await rowsOf(admin, { roleId: id })).toEqual([]);
});
