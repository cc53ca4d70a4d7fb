import { userCalls } from '@mooring/contract/account/calls';
import { inviteCalls } from '@mooring/contract/account/member-calls';
import { signInCalls } from '@mooring/contract/auth/calls';
import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import { deptInviteCalls } from '@mooring/contract/org/invite-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SignInClient, signInClientOf } from '../../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { addDept, type DeptAt } from '../../org/api.ts';

const PASSWORD = 'Fresh.Water8';
let app: TestApp;
let signInClient: SignInClient;
let unit: DeptAt;
let bank: DeptAt;
let manager: Client;
let maintainer: Client;
let member = 0;
let serial = 0;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: { id: 2, path: '1.2.' } }));
  bank = await app.dept('Harbour Bank', unit);
  [manager, maintainer] = [await app.person('orgManager', bank), await app.person('regionMaintainer', unit)];
  member = (
    await app.context.unscoped((db) => db.selectFrom('access_role').select('id').where('code', '=', 'orgMember').executeTakeFirstOrThrow())
  ).id;
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
});

const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const fresh = () => {
  serial += 1;
  return `guest${serial}@example.com`;
};
const codeIn = async (email: string) =>
  /invite=([\w-]+)/.exec((await signInClient.mailTo(email))?.text ?? '')?.[1] ?? 'no-code-in-this-mail';
async function inviteUser(email = fresh()) {
  const { id } = await manager.call(inviteCalls.add, { email, deptId: bank.id, roleIds: [member] });
  return { id, email, code: await codeIn(email) };
}
async function inviteOrg(name: string, email = fresh()) {
  const { id } = await maintainer.call(deptInviteCalls.add, { email, name, parentId: unit.id });
  return { id, email, code: await codeIn(email) };
}
const who = async (more: object = {}) => ({
  account: 'guest.one',
  userName: 'Guest One',
  password: await signInClient.seal('regist', PASSWORD),
  ...more,
});
const take = async (code: string, more: object = {}) =>
  signInClient.nobody.send(invitedCalls.userRegist, { invite: code, ...(await who(more)) });
const acceptOrg = async (code: string, more: object = {}) =>
  signInClient.nobody.send(invitedCalls.deptRegist, { invite: code, name: 'Pier Foods', ...(await who(more)) });

test('an invited person sees by whom, where and as what, and works at once with those roles', async () => {
  const { email, code } = await inviteUser();
  const shown = await signInClient.nobody.call(invitedCalls.user, { code });
  expect(shown).toMatchObject({ email, deptName: 'Harbour Bank', roles: ['Organisation member'], policy: { passwordMinLength: 8 } });
  expect(await signInClient.nobody.call(signInCalls.invitePolicy, { code })).toMatchObject({ passwordMinLength: 8 });
  const { account } = (await take(code)).body as unknown as { account: string };
  const person = await signInClient.signIn(account, PASSWORD);
  const info = await person.call(userCalls.info);
  expect(info).toMatchObject({
    email,
    waiting: null,
    userCategory: '0',
    relateDept: { deptId: bank.id, userType: '2' },
    role: ['Organisation member'],
  });
});

test('an invitation works once, also of two at once', async () => {
  const { code, email } = await inviteUser();
  const codes = (await Promise.all([take(code), take(code)])).map((answer) => answer.code).sort();
  expect(codes).toEqual([200, 400]);
  expect(await faultOf(take(code))).toBe('INVITE_OVER');
  expect(await faultOf(signInClient.nobody.send(invitedCalls.user, { code }))).toBe('INVITE_OVER');
  const { rows } = await app.context.unscoped((db) => sql`select 1 from account_user where email = ${email}`.execute(db));
  expect(rows).toHaveLength(1);
});

test('one that is too old, withdrawn, of a shut organisation or made up opens nothing, with the same answer', async () => {
  const [old, withdrawn] = [await inviteUser(), await inviteUser()];
  await app.context.unscoped((db) =>
    sql`update account_invite set expires_at = now() - interval '1 minute' where id = ${old.id}`.execute(db),
  );
  await manager.call(inviteCalls.withdraw, { id: withdrawn.id });
  const answers = [await take(old.code), await take(withdrawn.code), await take('made-up-code-of-nobody')];
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]?.body?.fault).toBe('INVITE_OVER');
});

test('nobody invited gives themselves more than they were given', async () => {
  const { code } = await inviteUser();
  for (const more of [{ roleIds: [1] }, { userType: '1' }, { state: '0' }, { deptId: 1 }, { email: 'other@example.com' }])
    expect((await take(code, more)).code).toBe(400);
  expect(await faultOf(take(code, { password: await signInClient.seal('regist', 'short') }))).toBe('PASSWORD_WEAK');
  expect((await take(code)).code).toBe(200);
});

test('an invited organisation stands below its unit and works at once, its first person is its manager', async () => {
  const { email, code } = await inviteOrg('Pier Foods');
  expect(await signInClient.nobody.call(invitedCalls.dept, { code })).toMatchObject({
    email,
    name: 'Pier Foods',
    unitName: 'Region North',
  });
  expect(await faultOf(signInClient.nobody.send(invitedCalls.user, { code }))).toBe('INVITE_OVER');
  const { account } = (await acceptOrg(code)).body as unknown as { account: string };
  const info = await (await signInClient.signIn(account, PASSWORD)).call(userCalls.info);
  expect(info).toMatchObject({ userCategory: '1', relateDept: { deptName: 'Pier Foods', userType: '1' }, role: ['Organisation manager'] });
  expect(await faultOf(acceptOrg(code))).toBe('INVITE_OVER');
  const dept = await app.context.unscoped((db) =>
    db.selectFrom('org_dept').select(['parent_id', 'state']).where('id', '=', info.relateDept.deptId).executeTakeFirstOrThrow(),
  );
  expect(dept).toEqual({ parent_id: unit.id, state: 'enabled' });
});

test('who may not add units invites none; nobody invites below another’s unit, or somebody who is here', async () => {
  const reader = await app.person('orgMember', bank);
  expect((await reader.send(deptInviteCalls.add, { email: fresh(), name: 'X', parentId: bank.id })).code).toBe(403);
  expect((await manager.send(deptInviteCalls.add, { email: fresh(), name: 'X', parentId: unit.id })).code).toBe(404);
  const person = await signInClient.person();
  expect(await faultOf(maintainer.send(deptInviteCalls.add, { email: person.email.toUpperCase(), name: 'X', parentId: unit.id }))).toBe(
    'CONTACT_TAKEN',
  );
});

test('a second invitation of an address makes the first worthless; over time both are', async () => {
  const first = await inviteOrg('Twice');
  const second = await inviteOrg('Twice', first.email);
  expect(await faultOf(acceptOrg(first.code))).toBe('INVITE_OVER');
  await app.context.unscoped((db) =>
    sql`update org_invite set expires_at = now() - interval '1 minute' where id = ${second.id}`.execute(db),
  );
  expect(await faultOf(acceptOrg(second.code))).toBe('INVITE_OVER');
});

test('a unit is closed and opened to strangers by who may change it', async () => {
  expect((await maintainer.call(deptInviteCalls.door, { id: unit.id })).joinable).toBe(true);
  expect((await manager.call(deptInviteCalls.door, { id: bank.id })).joinable).toBe(false);
  expect((await manager.call(deptInviteCalls.setDoor, { id: bank.id, joinable: true })).joinable).toBe(true);
  expect((await manager.send(deptInviteCalls.setDoor, { id: unit.id, joinable: false })).code).toBe(404);
});

test('codes that are made up are counted', async () => {
  const answers = [];
  for (let at = 0; at < 31; at += 1)
    answers.push(await faultOf(signInClient.nobody.send(invitedCalls.user, { code: `made-up-code-number-${at}` })));
  expect(answers.at(-1)).toBe('TOO_MANY');
});

test.each(['person', 'organisation'])(
  'an invitation of a %s whose inviter loses the right meanwhile gives nothing any more',
  async (kind) => {
    const inviter = kind === 'person' ? manager : maintainer;
    const { code, email } = kind === 'person' ? await inviteUser() : await inviteOrg('Late Shop');
    const client = await app.context.pools.owner.connect();
    const held = (await client.query('select * from access_user_role where user_id = $1', [inviter.userId])).rows;
    try {
      await client.query('begin');
      await client.query('lock table account_user in share row exclusive mode');
      const taking = kind === 'person' ? take(code, { account: 'late.one' }) : acceptOrg(code, { account: 'late.two', name: 'Late Shop' });
      await expect
        .poll(async () => (await client.query("select from pg_locks where not granted and relation = 'account_user'::regclass")).rowCount)
        .toBe(1);
      await client.query('delete from access_user_role where user_id = $1', [inviter.userId]);
      await client.query('commit');
      expect(await faultOf(taking)).toBe('INVITE_OVER');
      expect((await client.query('select from account_user where email = $1', [email])).rowCount).toBe(0);
    } finally {
      for (const { user_id, role_id } of held)
        await client.query('insert into access_user_role (user_id, role_id) values ($1, $2) on conflict do nothing', [user_id, role_id]);
      client.release();
    }
  },
);
