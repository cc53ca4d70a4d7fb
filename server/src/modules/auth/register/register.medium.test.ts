import { userCalls } from '@mooring/contract/account/calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { signInCalls } from '@mooring/contract/auth/calls';
import { registerCalls } from '@mooring/contract/auth/register-calls';
import { allCalls } from '@mooring/contract/index';
import { deptCalls } from '@mooring/contract/org/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRegistration, type SignInClient, signInClientOf } from '../../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../../test/test-app.ts';
import { addDept, type DeptAt } from '../../org/api.ts';

const PASSWORD = 'Fresh.Water8';
let app: TestApp;
let signInClient: SignInClient;
let admin: Client;
let unit: DeptAt;
let bank: DeptAt;
let serial = 0;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: { id: 2, path: '1.2.' } }));
  bank = await app.dept('Harbour Bank', unit);
  admin = await app.person('platformAdmin', app.root);
  await openRegistration(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await later();
  await app.context.unscoped((db) => sql`update org_dept set joinable = null`.execute(db));
});

/** Waits between mails are tried elsewhere. */
const later = () => app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const fresh = () => {
  serial += 1;
  return `new${serial}@example.com`;
};
const askCode = async (email: string) =>
  signInClient.nobody.send(registerCalls.captcha, { email, proof: await signInClient.proof('regist') });
async function codeFor(email: string): Promise<string> {
  await askCode(email);
  const mailed = await signInClient.mailTo(email);
  return mailed?.template === 'regCode' ? mailed.code : 'none';
}
const newcomer = async (email: string, code: string, more: object = {}) => ({
  account: 'anna.new',
  userName: 'Anna New',
  password: await signInClient.seal('regist', PASSWORD),
  email,
  code,
  ...more,
});
async function registerOrg(name: string, email = fresh()) {
  const { id } = await signInClient.nobody.call(registerCalls.dept, {
    ...(await newcomer(email, await codeFor(email))),
    unitId: unit.id,
    name,
  } as never);
  return { id, email };
}
const join = async (email: string, code: string, more: object = {}) =>
  signInClient.nobody.send(registerCalls.join, { ...(await newcomer(email, code)), deptId: bank.id, ...more });
const setJoinable = (id: number, joinable: boolean) =>
  app.context.unscoped((db) => sql`update org_dept set joinable = ${joinable} where id = ${id}`.execute(db));
const signIn = async (email: string) => {
  const answer = await signInClient.signIn(email, PASSWORD);
  const { id } = await answer.call(userCalls.info);
  return clientOf(app.http, answer.token, id, 'centre', 0);
};
const deptOf = (email: string) =>
  app.context.unscoped((db) =>
    db
      .selectFrom('account_user as u')
      .innerJoin('org_dept as d', 'd.id', 'u.dept_id')
      .select([
        'u.id',
        'u.state',
        'u.category',
        'u.user_type',
        'u.account',
        'd.id as dept_id',
        'd.state as dept_state',
        'd.name',
        'd.parent_id',
      ])
      .where(sql`lower(u.email)`, '=', email.toLowerCase())
      .executeTakeFirstOrThrow(),
  );

test('an organisation comes in as applied; its manager sees how it stands and nothing else, and works once it is approved', async () => {
  const { id, email } = await registerOrg('Quay Stores');
  expect(await deptOf(email)).toMatchObject({ state: 'joining', category: '1', user_type: '1', dept_state: 'applied', parent_id: unit.id });
  const manager = await signIn(email);
  expect((await manager.call(userCalls.info)).waiting).toEqual({ id, kind: 'org' });
  expect(await manager.call(registerCalls.detail, { id })).toMatchObject({
    state: 'waiting',
    decider: 'Region North',
    deptName: 'Quay Stores',
    allowedActions: ['withdraw'],
  });
  const { dept_id } = await deptOf(email);
  await admin.call(deptCalls.approve, { id: dept_id });
  expect((await manager.call(userCalls.info)).permissions.length).toBeGreaterThan(3);
  expect(await manager.call(registerCalls.detail, { id })).toMatchObject({ state: 'approved', allowedActions: [] });
});

test('a waiting session can call nothing else', async () => {
  const { email } = await registerOrg('Only Waiting');
  const waiting = await signIn(email);
  const open = new Set([
    '/sys/user/info',
    '/sys/user/editAccount',
    '/sys/logout',
    '/sys/regist/detail/{id}',
    '/sys/regist/withdraw',
    '/sys/regist/resubmit',
  ]);
  for (const call of allCalls.filter(
    (one) => one.can !== 'public' && one.wire === 'json' && !open.has(one.path) && one.platform !== 'manager',
  ))
    expect([call.path, await faultOf(waiting.send(call, {}))]).toEqual([call.path, 'REGIST_WAITING']);
});

test('the deciders hear of it by message and mail, the applicant by mail', async () => {
  const maintainer = await app.person('regionMaintainer', unit);
  const { email } = await registerOrg('Told About');
  await app.runJobs();
  expect(await signInClient.mailTo(email)).toMatchObject({ template: 'regReceived' });
  const told = await app.context.unscoped((db) =>
    sql<{
      user_id: number;
      text_key: string;
    }>`select d.user_id, m.text_key from message_delivery d join message_message m on m.id = d.message_id
      where m.text_key = 'registered' order by m.id desc limit 1`.execute(db),
  );
  // The nearest of those who may decide, not everybody up to the platform.
  expect(told.rows).toEqual([{ user_id: maintainer.userId, text_key: 'registered' }]);
});

test('a refusal says why; it is handed in again once, or withdrawn, and the address is free again', async () => {
  const { id, email } = await registerOrg('Second Try');
  const { dept_id, id: userId } = await deptOf(email);
  await admin.call(deptCalls.refuse, { id: dept_id, reason: 'The address is missing' });
  const manager = await signIn(email);
  expect(await manager.call(registerCalls.detail, { id })).toMatchObject({ state: 'refused', reason: 'The address is missing' });
  const dept = { name: 'Second Try Ltd', timeZone: 'Europe/Berlin', contactPhone: '+49', address: 'Quay 3' };
  expect(await manager.call(registerCalls.resubmit, { id, dept })).toMatchObject({ state: 'waiting', reason: null, dept });
  expect((await manager.send(registerCalls.resubmit, { id, dept })).code).toBe(409);
  await manager.call(registerCalls.withdraw, { id });
  expect((await manager.send(userCalls.info)).code).toBe(401);
  expect(await faultOf(signInClient.attempt(email, PASSWORD))).toBe('LOGIN_FAILED');
  const after = await app.context.unscoped((db) =>
    sql<{ email: null; state: string }>`select email, state from account_user where id = ${userId}`.execute(db),
  );
  expect(after.rows).toEqual([{ email: null, state: 'cancelled' }]);
  expect((await admin.send(deptCalls.approve, { id: dept_id })).code).toBe(409);
  await later();
  await registerOrg('Second Try', email);
});

test('a sub-organisation stands below its parent, whose manager decides', async () => {
  await setJoinable(bank.id, true);
  const email = fresh();
  await signInClient.nobody.call(registerCalls.child, {
    ...(await newcomer(email, await codeFor(email))),
    parentId: bank.id,
    name: 'Branch East',
  } as never);
  const manager = await app.person('orgManager', bank);
  const { dept_id, parent_id } = await deptOf(email);
  expect(parent_id).toBe(bank.id);
  await manager.call(deptCalls.approve, { id: dept_id });
  expect((await (await signIn(email)).call(userCalls.info)).waiting).toBeNull();
});

test('joining waits for the organisation’s manager, who gives the roles', async () => {
  await setJoinable(bank.id, true);
  const email = fresh();
  expect((await join(email, await codeFor(email))).code).toBe(200);
  const joiner = await signIn(email);
  expect((await joiner.call(userCalls.info)).permissions).toEqual([]);
  const manager = await app.person('orgManager', bank);
  const role = await app.context.unscoped((db) =>
    db.selectFrom('access_role').select('id').where('code', '=', 'orgMember').executeTakeFirstOrThrow(),
  );
  await manager.call(memberCalls.approve, { id: joiner.userId, userType: '2', roleIds: [role.id] });
  expect((await joiner.call(userCalls.info)).permissions).toContain('device:device:page');
});

test('one person alone needs a unit that is set for them', async () => {
  const email = fresh();
  const alone = async () => signInClient.nobody.send(registerCalls.one, await newcomer(email, await codeFor(email)));
  expect(await faultOf(alone())).toBe('REGIST_CLOSED');
  await later();
  const settings = clientOf(app.http, (await app.person('platformAdmin', app.root, 'manager')).token, 0, 'manager', 1);
  expect(await faultOf(settings.send(systemSettingCalls.registration, { open: true, oneDeptId: 2 }))).toBe('REGIST_PLACE');
  await settings.call(systemSettingCalls.registration, { open: true, oneDeptId: unit.id });
  expect((await alone()).code).toBe(200);
  expect(await deptOf(email)).toMatchObject({ state: 'joining', dept_id: unit.id, user_type: '2', category: '0' });
  await settings.call(systemSettingCalls.registration, { open: false, oneDeptId: unit.id });
  expect(await faultOf(askCode(fresh()))).toBe('REGIST_CLOSED');
  expect(await faultOf(signInClient.nobody.send(registerCalls.find, { kind: 'org', text: 'Region' }))).toBe('REGIST_CLOSED');
  await settings.call(systemSettingCalls.registration, { open: true, oneDeptId: null });
});

test('only what is open is found, by its code or three letters, ten at most, and not for ever', async () => {
  const find = async (kind: 'org' | 'join', text: string) =>
    (await signInClient.nobody.call(registerCalls.find, { kind, text })).map((one) => one.name);
  expect(await find('org', 'region n')).toEqual(['Region North']);
  expect(await find('join', 'Harbour')).toEqual([]);
  expect((await signInClient.nobody.send(registerCalls.find, { kind: 'join', text: 'Ha' })).code).toBe(400);
  await setJoinable(bank.id, true);
  expect(await find('join', 'Harbour')).toEqual(['Harbour Bank']);
  expect(await find('join', '%%%')).toEqual([]);
  const { rows } = await app.context.unscoped((db) =>
    sql<{ join_code: string }>`select join_code from org_dept where id = ${bank.id}`.execute(db),
  );
  expect(await find('join', rows[0]?.join_code.toLowerCase() ?? '')).toEqual(['Harbour Bank']);
  await setJoinable(bank.id, false);
  expect(await find('join', rows[0]?.join_code ?? '')).toEqual([]);
  for (let at = 0; at < 12; at += 1) await app.dept(`Crowd ${at}`, unit);
  await app.context.unscoped((db) => sql`update org_dept set joinable = true where name like 'Crowd%'`.execute(db));
  expect(await find('join', 'crowd')).toHaveLength(10);
  const answers = [];
  for (let at = 0; at < 60; at += 1)
    answers.push(await faultOf(signInClient.nobody.send(registerCalls.find, { kind: 'org', text: 'Region' })));
  expect(answers.at(-1)).toBe('TOO_MANY');
});

test('a place that is not open and one that is not there answer the same', async () => {
  const email = fresh();
  const [shut, nowhere] = [await join(email, '123456'), await join(email, '123456', { deptId: 999_999 })];
  expect(shut).toEqual(nowhere);
  expect(shut.body?.fault).toBe('REGIST_PLACE');
});

test('a known address is answered as an unknown one; its owner is told by mail, and no code of it works', async () => {
  const person = await signInClient.person();
  const outsider = fresh();
  const [known, unknown] = [await askCode(person.email), await askCode(outsider)];
  expect(known).toEqual(unknown);
  expect(await signInClient.mailTo(person.email)).toMatchObject({ template: 'regKnown', code: '' });
  await setJoinable(bank.id, true);
  expect(await join(person.email, '123456')).toEqual(await join(outsider, '000000'));
});

test('a taken account is no answer either: digits are added', async () => {
  await setJoinable(bank.id, true);
  const person = await signInClient.person();
  const [first, second] = [fresh(), fresh()];
  const [taken, free] = [
    await join(first, await codeFor(first), { account: person.account.toUpperCase() }),
    await join(second, await codeFor(second), { account: 'quite.free' }),
  ];
  expect({ ...taken.body, id: 0 }).toEqual({ ...free.body, id: 0 });
  expect((await deptOf(first)).account).toMatch(new RegExp(`^${person.account}-\\d+$`, 'i'));
  expect((await deptOf(second)).account).toBe('quite.free');
});

test('nor does the name of an organisation tell whether it is taken', async () => {
  const one = await registerOrg('Twice The Same');
  const two = await registerOrg('twice the same');
  expect([(await deptOf(one.email)).name, (await deptOf(two.email)).name]).toEqual(['Twice The Same', 'twice the same (2)']);
});

test('a code works once, wrong tries use it up, and another person’s code opens nothing', async () => {
  await setJoinable(bank.id, true);
  const [email, other] = [fresh(), fresh()];
  const code = await codeFor(email);
  expect(await faultOf(join(other, code))).toBe('CODE_REFUSED');
  const wrong = code === '111111' ? '222222' : '111111';
  for (let at = 0; at < 5; at += 1) expect(await faultOf(join(email, wrong))).toBe('CODE_REFUSED');
  expect(await faultOf(join(email, code))).toBe('CODE_REFUSED');
});

test('sent twice at once, one comes in', async () => {
  await setJoinable(bank.id, true);
  const email = fresh();
  const code = await codeFor(email);
  const codes = (await Promise.all([join(email, code), join(email, code)])).map((answer) => answer.code);
  expect(codes.sort()).toEqual([200, 400]);
  const { rows } = await app.context.unscoped((db) => sql`select 1 from account_user where email = ${email}`.execute(db));
  expect(rows).toHaveLength(1);
});

test('a weak password and a shut place cost no code, and leave nothing behind', async () => {
  await setJoinable(bank.id, true);
  const email = fresh();
  const code = await codeFor(email);
  expect(await faultOf(join(email, code, { password: await signInClient.seal('regist', 'short') }))).toBe('PASSWORD_WEAK');
  expect(await faultOf(join(email, code, { account: 'Anna.New99', password: await signInClient.seal('regist', 'Anna.New99') }))).toBe(
    'PASSWORD_IS_ACCOUNT',
  );
  expect((await join(email, code)).code).toBe(200);
});

test('nobody gives themselves a state, a role or another place', async () => {
  const email = fresh();
  for (const more of [{ state: '0' }, { roleIds: [1] }, { userType: '1' }, { userCategory: '1' }, { deptPath: '1.' }, { unitId: 1 }])
    expect((await join(email, '123456', more)).code).toBe(400);
});

test('another applicant’s registration is not there', async () => {
  const [a, b] = [await registerOrg('Applicant A'), await registerOrg('Applicant B')];
  const first = await signIn(a.email);
  for (const call of [registerCalls.detail, registerCalls.withdraw, registerCalls.resubmit])
    expect((await first.send(call, { id: b.id })).code).toBe(404);
  expect((await admin.send(registerCalls.detail, { id: b.id })).code).toBe(404);
  expect((await first.call(registerCalls.detail, { id: a.id })).deptName).toBe('Applicant A');
});

test('registrations from one address are bounded', async () => {
  const answers = [];
  for (let at = 0; at < 21; at += 1) answers.push(await faultOf(join(fresh(), '123456')));
  expect(answers.at(-1)).toBe('TOO_MANY');
});

test('who waits can reset a forgotten password, and is still waiting', async () => {
  const { email } = await registerOrg('Forgetful');
  await later();
  const asked = await signInClient.codeFor(email, 'reset');
  const { ticket } = await signInClient.nobody.call(signInCalls.validateCode, { email, ...asked });
  await signInClient.nobody.call(signInCalls.resetPassword, {
    ticket,
    newPassword: await signInClient.seal('newPassword', 'Other.Water9'),
  });
  const back = await signInClient.signIn(email, 'Other.Water9');
  expect(await faultOf(back.send(deptCalls.managed))).toBe('REGIST_WAITING');
});
