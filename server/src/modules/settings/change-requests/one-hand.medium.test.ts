import { roleCalls } from '@mooring/contract/access/role-calls';
import { inviteCalls, memberCalls } from '@mooring/contract/account/member-calls';
import { policyCalls } from '@mooring/contract/account/policy-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import { loginPresets } from '@mooring/contract/auth/policy';
import { allCalls } from '@mooring/contract/index';
import { changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SignInClient, signInClientOf } from '../../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../../test/test-app.ts';
import { seededRole, setRoles } from '../../access/api.ts';
import { openSession } from '../../auth/api.ts';

/** Dual control asks for two people: whoever has a hold on another's account, or the same person on both, isn't a second one. */
const DAY = 86_400_000;
let app: TestApp;
let signInClient: SignInClient;
let author: Client;
let other: Client;
let platformAdmin = 0;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  signInClient = signInClientOf(app);
  author = await app.person('platformAdmin', app.root, 'manager');
  other = await app.person('platformAdmin', app.root, 'manager');
  platformAdmin = await app.context.unscoped((db) => seededRole(db, 'platformAdmin'));
});
afterAll(() => app.stop());
const run = (statement: ReturnType<typeof sql>) => app.context.unscoped((db) => statement.execute(db));
beforeEach(async () => {
  app.clock.now = new Date();
  await run(sql`delete from settings_change_request`);
  await run(sql`delete from settings_value`);
  await run(sql`delete from account_given`);
  await run(sql`update account_user set state = '0' where state = '1'`);
  await author.call(systemSettingCalls.dualControl, { enabled: true });
});

const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
const ask = async (as: Client) => (await as.call(systemSettingCalls.registration, { open: false, oneDeptId: null }))?.changeRequestId ?? 0;
const approve = (as: Client, id: number) => faultOf(as.send(changeRequestCalls.approve, { id }));
const signedIn = async (userId: number) =>
  clientOf(app.http, await app.context.unscoped((db) => openSession(db, userId, 'manager', '127.0.0.1', 'test')), userId, 'manager', 1);
let made = 0;
const newcomer = () => {
  made += 1;
  return { account: `second.${made}`, userName: `Second ${made}`, email: `second${made}@example.com`, deptId: 1, roleIds: [platformAdmin] };
};
const added = async (by: Client): Promise<Client> => {
  const { id } = await by.call(memberCalls.add, newcomer());
  await run(sql`update account_user set password_initial = false where id = ${id}`);
  return signedIn(id);
};

/** What one person can do to have another's account in their hands. */
const holds: Readonly<Record<string, (by: Client) => Promise<Client>>> = {
  'added them': added,
  'gave them the role': async (by) => {
    const person = await app.person('auditor', app.root, 'manager');
    await by.call(memberCalls.update, { id: person.userId, userName: 'P', userType: '1', deptId: 1, roleIds: [platformAdmin] });
    return person;
  },
  'reset their password': async (by) => {
    const person = await app.person('platformAdmin', app.root, 'manager');
    await by.call(memberCalls.resetPassword, { id: person.userId });
    await run(sql`update account_user set password_initial = false where id = ${person.userId}`);
    return signedIn(person.userId);
  },
  'removed their second factor': async (by) => {
    const person = await app.person('platformAdmin', app.root, 'manager');
    await by.call(memberCalls.unbindMfa, { id: person.userId });
    return signedIn(person.userId);
  },
  'changed their address': async (by) => {
    const person = await app.person('platformAdmin', app.root, 'manager');
    made += 1;
    const email = `mine${made}@example.com`;
    await by.call(memberCalls.update, { id: person.userId, userName: 'P', userType: '1', deptId: 1, roleIds: [platformAdmin], email });
    return person;
  },
  'invited them': async (by) => {
    made += 1;
    const email = `guest${made}@example.com`;
    await by.call(inviteCalls.add, { email, deptId: 1, roleIds: [platformAdmin] });
    const invite = /invite=([\w-]+)/.exec((await signInClient.mailTo(email))?.text ?? '')?.[1] ?? '';
    const password = await signInClient.seal('regist', 'Fresh.Water8');
    const { account } = await signInClient.nobody.call(invitedCalls.userRegist, {
      invite,
      account: `guest${made}`,
      userName: 'G',
      password,
    });
    const { id } = await app.context.unscoped((db) =>
      db.selectFrom('account_user').select('id').where('account', '=', account).executeTakeFirstOrThrow(),
    );
    return signedIn(id);
  },
  'let them in': async (by) => {
    made += 1;
    const { id } = await app.context.unscoped((db) =>
      db
        .insertInto('account_user')
        .values({ account: `joins${made}`, name: 'J', dept_id: 1, dept_path: '1.', state: 'joining', user_type: '2' })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await by.call(memberCalls.approve, { id, userType: '1', roleIds: [platformAdmin] });
    return signedIn(id);
  },
};

describe.each(Object.entries(holds))('who %s', (_name, hold) => {
  test('isn’t helped by their approval within a week, nor helps them; after it they are two people', async () => {
    const second = await hold(author);
    expect(await approve(second, await ask(author))).toBe('CHANGE_ONE_HAND');
    expect(await approve(author, await ask(second))).toBe('CHANGE_ONE_HAND');
    expect(await approve(other, await ask(second))).toBe(200);
    await run(sql`delete from settings_value where type = 'registration'`);
    app.clock.now = new Date(Date.now() + 6.9 * DAY);
    expect(await approve(second, await ask(author))).toBe('CHANGE_ONE_HAND');
    app.clock.now = new Date(Date.now() + 7.1 * DAY);
    expect(await approve(second, await ask(author))).toBe(200);
  });
});

test('what was given before dual control was switched on doesn’t count, and saving it again as it is forgets nothing', async () => {
  await run(sql`delete from settings_value`);
  const before = await added(author);
  app.clock.now = new Date();
  await author.call(systemSettingCalls.dualControl, { enabled: true });
  expect(await approve(before, await ask(author))).toBe(200);
  await run(sql`delete from settings_value where type = 'registration'`);
  const after = await added(author);
  app.clock.now = new Date(Date.now() + DAY);
  expect(await author.call(systemSettingCalls.dualControl, { enabled: true })).toBeNull();
  expect(await approve(after, await ask(author))).toBe('CHANGE_ONE_HAND');
});

test('two whom the same person added are one, and so is whom they add in turn; nobody else is asked to approve', async () => {
  const [first, second] = [await added(author), await added(author)];
  expect(await approve(second, await ask(first))).toBe('CHANGE_ONE_HAND');
  const third = await added(first);
  const request = await ask(author);
  expect(await approve(third, request)).toBe('CHANGE_ONE_HAND');
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      target: { users: number[] };
    }>`select target from message_message where text_key = 'changeWaiting' order by id desc limit 1`.execute(db),
  );
  const asked = rows[0]?.target.users ?? [];
  expect([asked.includes(other.userId), asked.includes(first.userId), asked.includes(third.userId)]).toEqual([true, false, false]);
  await run(sql`update account_user set state = '1' where id = ${other.userId}`);
  await run(
    sql`update account_user set state = '1' where id not in (${author.userId}, ${first.userId}, ${second.userId}, ${third.userId})`,
  );
  expect(await faultOf(author.send(systemSettingCalls.registration, { open: false, oneDeptId: null }))).toBe('DUAL_NOBODY');
});

test('a role that was widened for both of its holders makes neither the other’s second person', async () => {
  const line = { id: 2, path: '1.2.' };
  const policy = { ...loginPresets.spec, preset: 'custom' as const, maxTries: 7 };
  const names = { name: 'Policies', type: '1' as const, platforms: ['manager' as const], remark: '' };
  const role = await author.call(roleCalls.add, { ...names, menus: ['systemSettings'] });
  const [one, two] = [await app.person('orgMember', line, 'manager'), await app.person('orgMember', line, 'manager')];
  await app.context.unscoped(async (db) => {
    for (const person of [one, two]) await setRoles(db, person.userId, [role.id], { by: null, way: 'system' });
  });
  await author.call(roleCalls.update, { id: role.id, ...names, menus: ['systemSettings', 'settings:policy:update'] });
  const { changeRequestId } = (await one.call(policyCalls.loginEdit, { productLineId: 2, policy })) as { changeRequestId: number };
  expect(await approve(two, changeRequestId)).toBe('CHANGE_ONE_HAND');
  expect(await approve(author, changeRequestId)).toBe('CHANGE_ONE_HAND');
  expect(await approve(other, changeRequestId)).toBe(200);
});

test('who makes an account or takes one over is asked who they are, and a system was when it got its key', async () => {
  const giving = ['add', 'update', 'resetPassword', 'invite', 'approve', 'import'].map((name) => `/sys/user/member/${name}`);
  const paths = [...giving, '/sys/dept/invite', '/sys/changeRequest/approve'];
  expect(
    allCalls
      .filter((call) => paths.includes(call.path) && call.stepUp)
      .map((call) => call.path)
      .sort(),
  ).toEqual(paths.sort());
  await run(sql`update auth_session set proved_at = null where user_id = ${author.userId}`);
  expect(await faultOf(author.send(memberCalls.add, newcomer()))).toBe('STEP_UP_REQUIRED');
  expect(await faultOf(author.send(memberCalls.resetPassword, { id: other.userId }))).toBe('STEP_UP_REQUIRED');
  await run(sql`update auth_session set proved_at = now() where user_id = ${author.userId}`);
  const scopes = ['access:managerMember:page', 'access:managerMember:add'];
  const { token } = await author.call(tokenCalls.add, { name: 'hr', scopes, days: 1 });
  const role = await app.context.unscoped((db) =>
    db
      .insertInto('access_role')
      .values({ name: 'People', type: '1', platforms: ['manager'], menus: ['managerMember'], dept_id: 1, dept_path: '1.' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const system = clientOf(app.http, token, author.userId, 'manager', 1);
  expect(await faultOf(system.send(memberCalls.add, { ...newcomer(), roleIds: [role.id] }))).toBe(200);
});
