import { menuCalls } from '@mooring/contract/access/calls';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { userCalls } from '@mooring/contract/account/calls';
import { inviteCalls, memberCalls } from '@mooring/contract/account/member-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { signInCalls } from '@mooring/contract/auth/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newestMail } from '../../../test/mails.ts';
import { setMailServer } from '../../../test/set-mail-server.ts';
import { makeSheet } from '../../../test/sheet.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { seededRole } from '../access/api.ts';
import type { DeptAt } from '../org/api.ts';
import { consumeInvite, findInvite } from './api.ts';

let app: TestApp;
let admin: Client;
let region: DeptAt;
let bank: DeptAt;
let other: DeptAt;
let manager: Client;
const roles: Record<string, number> = {};

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  const made = await admin.call(deptCalls.add, { parentId: 2, name: 'Region' });
  region = { id: made.id, path: `1.2.${made.id}.` };
  bank = await app.dept('Bank', region);
  other = await app.dept('Other bank', region);
  manager = await app.person('orgManager', bank);
  await app.context.unscoped(async (db) => {
    for (const code of [
      'platformAdmin',
      'productLineAdmin',
      'orgManager',
      'orgMember',
      'auditor',
      'regionMaintainer',
      'developer',
      'signingOfficer',
    ])
      roles[code] = await seededRole(db, code);
  });
});
afterAll(() => app.stop());

let count = 0;
const fresh = (more: object = {}) => {
  count += 1;
  return {
    account: `fresh.${count}`,
    userName: `Fresh ${count}`,
    email: `fresh${count}@example.com`,
    deptId: bank.id,
    roleIds: [roles.orgMember ?? 0],
    ...more,
  };
};
const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
const rowOf = (id: number) =>
  app.context.unscoped((db) => db.selectFrom('account_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

test('added with a one-time password that is shown once, or mailed; nothing else of a person can be set', async () => {
  const shown = await manager.call(memberCalls.add, fresh({ userType: '1' }));
  expect(shown.password).toMatch(/^\S{14}$/);
  expect(await rowOf(shown.id)).toMatchObject({ category: '1', user_type: '1', state: '0', password_initial: true, dept_path: bank.path });
  expect(await faultOf(manager.send(memberCalls.add, fresh({ mail: true })))).toBe('MAIL_UNSET');
  const { password_hash: before } = await rowOf(shown.id);
  expect(await faultOf(manager.send(memberCalls.resetPassword, { id: shown.id, mail: true }))).toBe('MAIL_UNSET');
  expect((await rowOf(shown.id)).password_hash).toBe(before);
  await setMailServer(app);
  const mailed = await manager.call(memberCalls.add, fresh({ mail: true }));
  expect(mailed.password).toBeNull();
  const mails = await app.context.unscoped((db) =>
    db.selectFrom('mail_message').select(['secret', 'user_id']).where('template', '=', 'oneTimePassword').execute(),
  );
  expect(mails).toEqual([{ secret: true, user_id: mailed.id }]);
  const attacks: readonly Record<string, unknown>[] = [
    { userCategory: '1' },
    { state: '1' },
    { category: '1' },
    { password: 'x' },
    { seeded: true },
    { userType: '3' },
    { roleIds: [] },
    { account: 'a@b.example' },
    { account: '__proto__' },
  ];
  for (const attack of attacks) expect((await manager.send(memberCalls.add, fresh(attack))).code).toBe(400);
  expect(await faultOf(manager.send(memberCalls.add, fresh({ account: 'FRESH.1' })))).toBe('ACCOUNT_TAKEN');
  expect(await faultOf(manager.send(memberCalls.add, fresh({ email: 'FRESH1@example.com' })))).toBe('CONTACT_TAKEN');
  expect(await faultOf(manager.send(memberCalls.add, fresh({ email: null, mail: true })))).toBe('MAIL_NEEDED');
});

test('nobody gives what they don’t hold, nowhere else than in their scope, nor a platform’s role to an organisation', async () => {
  const add = (more: object, client = manager) => faultOf(client.send(memberCalls.add, fresh(more)));
  expect(await add({ roleIds: [roles.platformAdmin] })).toBe('ROLE_NOT_HERE');
  expect(await add({ roleIds: [roles.productLineAdmin] })).toBe('ROLE_NOT_HERE');
  expect(await add({ roleIds: [roles.auditor] })).toBe('ROLE_NOT_HERE');
  expect(await add({ roleIds: [roles.orgManager] })).toBe(200);
  expect(await add({ deptId: other.id })).toBe('NOT_FOUND');
  expect(await add({ deptId: region.id })).toBe('NOT_FOUND');
  expect(await add({ managedDeptIds: [other.id] })).toBe('NOT_FOUND');
  expect(await add({ managedDeptIds: [region.id] })).toBe('NOT_FOUND');
  expect(await add({ deptId: region.id, roleIds: [roles.auditor] }, admin)).toBe('ROLE_NOT_HERE');
  expect(await add({ deptId: 2, roleIds: [roles.auditor] }, admin)).toBe(200);
  // A member who only reads adds nobody; a role that one holds a part of can’t be given.
  const member = await app.person('orgMember', bank);
  expect(await add({}, member)).toBe('FORBIDDEN');
});

test('categories 1 and 2 are absent for whoever is no administrator, in lists and in calls; those who hold more are out of reach', async () => {
  const hidden = await app.person('productLineAdmin', { id: 2, path: '1.2.' });
  const auditor = await app.person('auditor', { id: 2, path: '1.2.' });
  const seen = await auditor.call(memberCalls.page, { criteria: { deptId: 2 }, page: { size: 100 } });
  expect(seen.content.some((one) => one.id === hidden.userId)).toBe(false);
  expect((await auditor.send(memberCalls.detail, { id: hidden.userId })).code).toBe(404);
  expect(
    (await admin.call(memberCalls.page, { criteria: { deptId: 2 }, page: { size: 100 } })).content.some((one) => one.id === hidden.userId),
  ).toBe(true);
  const line = await app.person('productLineAdmin', app.root);
  for (const call of [memberCalls.disable, memberCalls.resetPassword])
    expect(await faultOf(line.send(call, { id: admin.userId }))).toBe('MEMBER_ABOVE');
  expect((await line.call(memberCalls.detail, { id: admin.userId })).allowedActions).toEqual([]);
});

test('API tokens are an identity of their own: kept or revoked as whoever changes the password or shuts somebody out says', async () => {
  const person = await app.person('orgMember', bank);
  const token = async (name: string) => (await person.call(tokenCalls.add, { name, scopes: ['device:device:page'] })).row.id;
  const names = async () => (await manager.call(memberCalls.tokens, { id: person.userId })).map((one) => one.name);
  const ids = [await token('Till'), await token('Ledger')];
  expect(await names()).toEqual(['Ledger', 'Till']);
  expect((await person.send(memberCalls.tokens, { id: person.userId })).code).toBe(403);
  const elsewhere = await app.person('orgManager', other);
  expect((await elsewhere.send(memberCalls.tokens, { id: person.userId })).code).toBe(404);
  await manager.call(memberCalls.resetPassword, { id: person.userId });
  expect(await names()).toEqual(['Ledger', 'Till']);
  await manager.call(memberCalls.resetPassword, { id: person.userId, tokens: 'revoke' });
  expect(await names()).toEqual([]);
  const states = await app.context.unscoped((db) =>
    db.selectFrom('account_api_token').select('revoked_at').where('id', 'in', ids).execute(),
  );
  expect(states.every((one) => one.revoked_at !== null)).toBe(true);
  const second = await app.person('orgMember', bank);
  await second.call(tokenCalls.add, { name: 'Gate', scopes: ['device:device:page'] });
  await manager.call(memberCalls.disable, { id: second.userId, tokens: 'revoke' });
  expect(await manager.call(memberCalls.tokens, { id: second.userId })).toEqual([]);
  await manager.call(memberCalls.enable, { id: second.userId });
});

test('a reset takes along what else signs in, unless it is kept; an authenticator app stays, and the person hears of it', async () => {
  const withWays = async () => {
    const { userId: id } = await app.person('orgMember', bank);
    await app.context.unscoped((db) =>
      db
        .updateTable('account_user')
        .set({ mobile: `+86130000${10_000 + id}`, email: `ways${id}@example.com` })
        .where('id', '=', id)
        .execute(),
    );
    await app.context.unscoped((db) =>
      sql`with key as (insert into account_passkey (user_id, credential_id, public_key, counter, name, transports) values (${id}, ${`key of ${id}`}, 'x', 0, 'Stolen key', '{}'))
        insert into account_totp (user_id, secret_sealed, bound_at) values (${id}, 'x', now())`.execute(db),
    );
    return id;
  };
  const left = async (id: number) =>
    (
      await app.context.unscoped((db) =>
        sql<{ mobile: boolean; passkeys: number; apps: number }>`
          select mobile is not null as mobile, (select count(*)::int from account_passkey where user_id = u.id) as passkeys,
            (select count(*)::int from account_totp where user_id = u.id) as apps from account_user u where id = ${id}`.execute(db),
      )
    ).rows[0];
  const [taken, kept] = [await withWays(), await withWays()];
  await admin.call(memberCalls.resetPassword, { id: taken });
  expect(await left(taken)).toEqual({ mobile: false, passkeys: 0, apps: 1 });
  await admin.call(memberCalls.resetPassword, { id: kept, mobile: 'keep', passkeys: 'keep' });
  expect(await left(kept)).toEqual({ mobile: true, passkeys: 1, apps: 1 });
  const mails = await app.context.unscoped((db) =>
    db
      .selectFrom('mail_message')
      .select(['user_id', 'shown_text'])
      .where('template', '=', 'passwordReset')
      .where('user_id', 'in', [taken, kept])
      .orderBy('id')
      .execute(),
  );
  expect(mails.map((one) => one.user_id)).toEqual([taken, kept]);
  expect(mails[0]?.shown_text).toMatch(/The mobile number \+8613\d+, The passkey “Stolen key”/);
  expect(mails[1]?.shown_text).toContain('were removed: none.');
  const { rows } = await app.context.unscoped((db) => sql`select after from audit_entry where after->>'passkeys' is not null`.execute(db));
  expect(JSON.stringify(rows)).toContain('Stolen key');
});

test('disabled, everything ends at once; oneself and the last administrator can’t be disabled', async () => {
  const person = await app.person('orgMember', bank);
  expect((await person.send(userCalls.info)).code).toBe(200);
  expect((await manager.call(memberCalls.disable, { id: person.userId })).allowedActions).toContain('enable');
  expect((await person.send(userCalls.info)).code).toBe(401);
  expect(await faultOf(manager.send(memberCalls.disable, { id: person.userId }))).toBe('OVERTAKEN');
  await manager.call(memberCalls.enable, { id: person.userId });
  expect(await faultOf(manager.send(memberCalls.disable, { id: manager.userId }))).toBe('MEMBER_SELF');
  const { account: _account, ...change } = fresh({ roleIds: [roles.orgManager] });
  expect(await faultOf(manager.send(memberCalls.update, { id: manager.userId, ...change }))).toBe('MEMBER_SELF');
  const second = await app.person('platformAdmin', app.root);
  await admin.call(memberCalls.disable, { id: second.userId });
  expect(await faultOf(admin.send(memberCalls.disable, { id: admin.userId }))).toBe('MEMBER_SELF');
  for (const call of [memberCalls.disable, memberCalls.update, memberCalls.resetPassword, memberCalls.unbindMfa, memberCalls.unlock])
    expect((await manager.send(call, { id: admin.userId, ...(call === memberCalls.update ? change : {}) })).code).toBe(404);
});

test('bulk: those out of reach are named as refused, the others are done', async () => {
  const [one, two] = [await app.person('orgMember', bank), await app.person('orgMember', bank)];
  const outsider = await app.person('orgMember', other);
  const of = { ids: [one.userId, two.userId, manager.userId, outsider.userId] };
  expect(await manager.call(memberCalls.disableMany, { of, preview: true })).toMatchObject({ total: 3, refused: 1, done: 0 });
  const done = await manager.call(memberCalls.disableMany, { of });
  expect(done).toMatchObject({ done: 2, failed: [{ id: manager.userId, fault: 'MEMBER_SELF' }] });
  expect((await one.send(userCalls.info)).code).toBe(401);
  expect((await outsider.send(userCalls.info)).code).toBe(200);
  expect((await manager.call(memberCalls.enableMany, { of: { criteria: { state: '1' }, except: [] } })).done).toBe(2);
});

test('a lock is taken off by an administrator; a second factor is unbound after a proof; a reset ends what was open', async () => {
  const person = await app.person('orgMember', bank);
  await app.context.unscoped((db) =>
    db
      .updateTable('account_user')
      .set({ state: '1', locked_until: new Date(Date.now() + 1e7), lock_reason: 'tries' })
      .where('id', '=', person.userId)
      .execute(),
  );
  expect((await manager.call(memberCalls.detail, { id: person.userId })).allowedActions).toContain('unlock');
  expect(await faultOf(manager.send(memberCalls.enable, { id: person.userId }))).toBe('OVERTAKEN');
  expect((await manager.call(memberCalls.unlock, { id: person.userId })).state).toBe('0');
  await app.context.unscoped((db) =>
    sql`insert into account_totp (user_id, secret_sealed, bound_at) values (${person.userId}, '\\x00', now())`.execute(db),
  );
  expect((await manager.call(memberCalls.detail, { id: person.userId })).mfaBound).toBe(true);
  await app.context.unscoped((db) =>
    sql`update auth_session set proved_at = now() - interval '1 hour' where user_id = ${manager.userId}`.execute(db),
  );
  expect(await faultOf(manager.send(memberCalls.unbindMfa, { id: person.userId }))).toBe('STEP_UP_REQUIRED');
  await app.context.unscoped((db) => sql`update auth_session set proved_at = now() where user_id = ${manager.userId}`.execute(db));
  expect((await manager.call(memberCalls.unbindMfa, { id: person.userId })).mfaBound).toBe(false);
  const again = await app.person('orgMember', bank);
  expect((await manager.call(memberCalls.resetPassword, { id: again.userId })).password).toMatch(/^\S{14}$/);
  expect((await again.send(userCalls.info)).code).toBe(401);
  expect((await rowOf(again.userId)).password_initial).toBe(true);
});

test('whoever asks to join waits, is counted beside the menu, and is let in with roles or refused with a reason', async () => {
  const ask = (account: string) =>
    app.context.unscoped(async (db) => {
      const row = { account, name: account, email: `${account}@example.com`, state: 'joining', dept_id: bank.id, dept_path: bank.path };
      return (await db.insertInto('account_user').values(row).returning('id').executeTakeFirstOrThrow()).id;
    });
  const [one, two] = [await ask('asks.one'), await ask('asks.two')];
  expect((await manager.call(menuCalls.counts)).member).toBe(2);
  expect(await faultOf(manager.send(memberCalls.approve, { id: one, roleIds: [roles.platformAdmin] }))).toBe('ROLE_NOT_HERE');
  expect((await manager.call(memberCalls.approve, { id: one, roleIds: [roles.orgMember ?? 0] })).state).toBe('0');
  expect((await manager.call(memberCalls.refuse, { id: two, reason: 'Unknown here' })).state).toBe('refused');
  expect((await manager.call(menuCalls.counts)).member).toBe(0);
});

test('a change of somebody’s roles and units works in their open session at once', async () => {
  const person = await app.person('orgMember', bank);
  const change = { userName: 'Changed', deptId: bank.id, userType: '1' as const, roleIds: [roles.orgManager ?? 0] };
  expect((await person.call(userCalls.info)).permissions).not.toContain('access:member:add');
  await manager.call(memberCalls.update, { id: person.userId, ...change });
  expect((await person.call(userCalls.info)).permissions).toContain('access:member:add');
  expect((await rowOf(person.userId)).category).toBe('1');
  const branch = await app.dept('Branch', bank);
  await manager.call(memberCalls.update, { id: person.userId, ...change, deptId: branch.id, managedDeptIds: [bank.id] });
  expect((await person.call(deptCalls.managed)).map((one) => one.id)).toEqual([branch.id, bank.id]);
});

test('an invitation: its code is in the mail alone, works once, until its day, and not after it was withdrawn', async () => {
  const invite = (email: string, more: object = {}) =>
    manager.call(inviteCalls.add, { email, deptId: bank.id, roleIds: [roles.orgMember ?? 0], ...more });
  const codeFor = async (email: string) => /invite=([\w-]+)/.exec((await newestMail(app, email))?.text ?? '')?.[1] ?? '';
  const find = (code: string) => app.context.unscoped((db) => findInvite(db, code));
  const made = await invite('guest@example.com');
  expect(made.state).toBe('open');
  const code = await codeFor('guest@example.com');
  const found = await find(code);
  expect(found).toMatchObject({ email: 'guest@example.com', dept: { id: bank.id }, roleIds: [roles.orgMember] });
  const used = await Promise.all([1, 2].map(() => app.context.unscoped((db) => consumeInvite(db, found?.id ?? 0, manager.userId))));
  expect(used.sort()).toEqual([false, true]);
  expect(await find(code)).toBeUndefined();
  const second = await invite('second@example.com');
  await invite('second@example.com');
  const [newest, oldest] = (await manager.call(inviteCalls.page, { criteria: { text: 'second@' } })).content;
  expect([newest?.state, oldest?.state, oldest?.id]).toEqual(['open', 'withdrawn', second.id]);
  const last = await codeFor('second@example.com');
  await manager.call(inviteCalls.withdraw, { id: newest?.id ?? 0 });
  expect(await find(last)).toBeUndefined();
  expect(
    await faultOf(manager.send(inviteCalls.add, { email: 'guest2@example.com', deptId: bank.id, roleIds: [roles.platformAdmin] })),
  ).toBe('ROLE_NOT_HERE');
  expect(await faultOf(manager.send(inviteCalls.add, { email: 'person1@example.com', deptId: bank.id, roleIds: [roles.orgMember] }))).toBe(
    'CONTACT_TAKEN',
  );
});

const sheet = (rows: readonly (readonly string[])[], header = ['Account', 'Name', 'E-mail', 'Organisation', 'Position', 'Roles']) =>
  makeSheet(app, manager, bank, header, rows);

test('an import takes all rows or none, and names what is wrong by row and column', async () => {
  const good = (n: number) => [`sheet.${n}`, `Sheet ${n}`, `sheet${n}@example.com`, 'Bank', 'Basic member', 'Organisation member'];
  const bad = await sheet([
    good(1),
    ['x', '', 'no', 'Nowhere', 'Boss', 'Nothing'],
    good(1),
    ['taken', 'T', 'person1@example.com', 'Bank', '', 'Organisation member'],
    ['above', 'A', 'above@example.com', 'Bank', '', 'Platform administrator'],
  ]);
  const checked = await manager.call(memberCalls.import, { file: bad, preview: false });
  expect(checked).toMatchObject({ rows: 5, work: null });
  const wrong = checked.wrong.map((one) => `${one.row} ${one.column} ${one.fault}`);
  expect(wrong).toEqual(
    expect.arrayContaining([
      '3 account BAD_INPUT',
      '3 userName BAD_INPUT',
      '3 email BAD_INPUT',
      '3 dept NOT_FOUND',
      '3 userType BAD_INPUT',
      '3 roles NOT_FOUND',
      '4 account SHEET_TWICE',
      '5 email CONTACT_TAKEN',
      '6 roles ROLE_NOT_HERE',
    ]),
  );
  expect((await manager.call(memberCalls.page, { criteria: { text: 'sheet.' } })).total).toBe(0);
  expect(await faultOf(manager.send(memberCalls.import, { file: await sheet([good(1)], ['A', 'B']) }))).toBe('SHEET_HEADER');
  const fine = await sheet([good(1), good(2), good(3)]);
  const taken = await manager.call(memberCalls.import, { file: fine });
  await app.runJobs();
  expect(await manager.call(backgroundJobCalls.detail, { id: taken.work ?? 0 })).toMatchObject({ state: 'done' });
  expect((await manager.call(memberCalls.page, { criteria: { text: 'sheet.' } })).total).toBe(3);
});

test('when and from where somebody signed in is seen by who may secure their account, of members in reach alone', async () => {
  const person = await app.person('orgMember', bank);
  const seen = () => manager.call(memberCalls.signIns, { id: person.userId });
  expect(await seen()).toMatchObject([{ platform: 'centre', ip: '127.0.0.1', endedAt: null }]);
  await person.call(signInCalls.logout);
  expect((await seen())[0]?.endedAt).not.toBeNull();
  const beside = await app.person('orgManager', other);
  expect((await beside.send(memberCalls.signIns, { id: person.userId })).code).toBe(404);
});

test('roles that may be picked are those that may be given there', async () => {
  const names = async (client: Client, deptId: number) => (await client.call(roleCalls.list, { deptId })).map((one) => one.id);
  expect(new Set(await names(manager, bank.id))).toEqual(
    new Set([roles.orgManager, roles.orgMember, roles.developer, roles.signingOfficer]),
  );
  expect(await names(admin, 1)).toContain(roles.platformAdmin);
});
