import { userCalls } from '@mooring/contract/account/calls';
import { policyCalls } from '@mooring/contract/account/policy-calls';
import { signInCalls } from '@mooring/contract/auth/calls';
import { type LoginPolicy, loginPresets, type PasswordPolicyEdit, passwordPresets } from '@mooring/contract/auth/policy';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { addDept } from '../org/api.ts';
import { writePolicy } from './policies.ts';

let app: TestApp;
let signInClient: SignInClient;
let admin: Client;

const login = (more: Partial<LoginPolicy>) =>
  admin.call(policyCalls.loginEdit, { productLineId: 2, policy: { ...loginPresets.spec, preset: 'custom', ...more } });
const passwords = (more: Partial<PasswordPolicyEdit>) =>
  admin.call(policyCalls.pwdEdit, { productLineId: 2, policy: { ...passwordPresets.spec, preset: 'custom', ...more } });
const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  admin = await app.person('platformAdmin', app.root, 'manager');
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`delete from auth_policy`.execute(db));
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
});

test('policies are read and written whole; presets hold until then; the change is in the audit', async () => {
  expect(await admin.call(policyCalls.loginDetail, { productLineId: 2 })).toEqual(loginPresets.spec);
  expect(await admin.call(policyCalls.pwdDetail, { productLineId: 2 })).toEqual(passwordPresets.spec);
  await passwords({ passwordMinLength: 10 });
  expect((await admin.call(policyCalls.pwdDetail, { productLineId: 2 })).passwordMinLength).toBe(10);
  const audit = await app.context.unscoped((db) =>
    db.selectFrom('audit_entry').selectAll().where('call', '=', '/sys/user/pwdPolicy/edit').executeTakeFirstOrThrow(),
  );
  expect([audit.before, audit.after]).toMatchObject([{ passwordMinLength: 8 }, { passwordMinLength: 10 }]);
});

test('each product line has policies of its own; a line that is not in the scope is not offered', async () => {
  const lines = () => admin.call(policyCalls.lines);
  const [first] = await lines();
  const other = await app.context.unscoped((db) => addDept(db, { kind: 'productLine', name: 'Cash registers', parent: app.root }));
  const added = { id: other.id, name: 'Cash registers', kind: 'productLine' };
  const top = expect.objectContaining({ id: 1, kind: 'platform' });
  expect(await lines()).toEqual([first, added, top]);
  const policy = await admin.call(policyCalls.loginDetail, { productLineId: other.id });
  await admin.call(policyCalls.loginEdit, { productLineId: other.id, policy: { ...policy, maxTries: 3 } });
  expect((await admin.call(policyCalls.loginDetail, { productLineId: other.id })).maxTries).toBe(3);
  expect((await admin.call(policyCalls.loginDetail, { productLineId: first?.id ?? 0 })).maxTries).not.toBe(3);
  const within = await app.person('platformAdmin', other, 'manager');
  expect(await within.call(policyCalls.lines)).toEqual([added]);
  expect((await within.send(policyCalls.loginDetail, { productLineId: 1 })).code).toBe(404);
  expect((await within.send(policyCalls.loginDetail, { productLineId: first?.id })).code).toBe(404);
  // Another administrator would be one to fall back on.
  await app.context.unscoped((db) => sql`update account_user set state = '1' where id = ${within.userId}`.execute(db));
});

test('whoever administers a product line decides nothing about the people of the top: neither their sign-in nor their passwords', async () => {
  const line = await app.person('platformAdmin', { id: 2, path: '1.2.' }, 'manager');
  const loose = { ...loginPresets.spec, preset: 'custom' as const, totalMinutes: 60, sessionsPerPerson: 1 };
  await line.call(policyCalls.loginEdit, { productLineId: 2, policy: loose });
  await line.call(policyCalls.pwdEdit, { productLineId: 2, policy: { ...passwordPresets.spec, preset: 'custom', remainValidPeriod: 1 } });
  expect((await line.send(policyCalls.loginEdit, { productLineId: 1, policy: loose })).code).toBe(404);
  const lasts = async (dept: { id: number; path: string }) => {
    const { account } = await signInClient.person({ dept });
    await signInClient.signIn(account, PASSWORD);
    await app.context.unscoped((db) =>
      sql`update account_user set password_at = now() - interval '2 days' where account = ${account}`.execute(db),
    );
    const again = await signInClient.signIn(account, PASSWORD);
    const { rows } = await app.context.unscoped((db) =>
      sql<{ minutes: number }>`select round(extract(epoch from s.expires_at - s.created_at) / 60)::int as minutes from auth_session s
        join account_user u on u.id = s.user_id where u.account = ${account} and s.ended_at is null`.execute(db),
    );
    return { sessions: rows.length, minutes: rows[0]?.minutes, fresh: (await again.call(userCalls.info)).pwdExpireCheck };
  };
  expect(await lasts({ id: 2, path: '1.2.' })).toEqual({ sessions: 1, minutes: 60, fresh: false });
  expect(await lasts(app.root)).toEqual({ sessions: 2, minutes: loginPresets.spec.totalMinutes, fresh: true });
  await admin.call(policyCalls.loginEdit, { productLineId: 1, policy: { ...loose, totalMinutes: 120 } });
  expect(await lasts(app.root)).toMatchObject({ sessions: 1, minutes: 120 });
  await app.context.unscoped((db) => sql`update account_user set state = '1' where id = ${line.userId}`.execute(db));
});

test('nonsense is refused, and what belongs to no product line', async () => {
  const edit = (policy: object, productLineId = 2) => admin.send(policyCalls.pwdEdit, { productLineId, policy });
  const { spec } = passwordPresets;
  expect((await edit({ ...spec, passwordMinLength: 30 })).body?.fields).toHaveProperty('policy.passwordMaxLength');
  expect((await edit({ ...spec, passwordMinLength: 0 })).code).toBe(400);
  expect((await edit({ ...spec, charTypeMin: 5 })).code).toBe(400);
  expect((await edit({ ...spec, extra: 1 })).code).toBe(400);
  const unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'North', parent: { id: 2, path: '1.2.' } }));
  expect(await faultOf(edit(spec, unit.id))).toBe('NOT_A_LINE');
  expect((await edit(spec, 999)).code).toBe(404);
  const network = { ...loginPresets.spec, addresses: ['10.0.0.0/33'] };
  expect((await admin.send(policyCalls.loginEdit, { productLineId: 2, policy: network })).body?.fields).toHaveProperty(
    'policy.addresses.0',
  );
});

test('an account that does not exist is answered in the same way, try by try', async () => {
  await login({ maxTries: 4, captchaAfter: 100 });
  const person = await signInClient.person();
  for (let tries = 0; tries < 6; tries += 1) {
    const [known, unknown] = [
      await signInClient.attempt(person.account, 'Wrong.Word4'),
      await signInClient.attempt('not-there-at-all', 'Wrong.Word4'),
    ];
    expect([tries, known.code, known.status, known.body?.fault]).toEqual([tries, unknown.code, unknown.status, unknown.body?.fault]);
  }
});

test('idle and total time hold as the policy says now; what a page asks by itself is no sign of life', async () => {
  const person = await signInClient.person();
  const client = await signInClient.signIn(person.account, PASSWORD);
  const age = (set: string) =>
    app.context.unscoped((db) => sql`update auth_session set ${sql.raw(set)} where user_id = ${person.id}`.execute(db));
  await age("seen_at = now() - interval '20 minutes'");
  await client.send(userCalls.info, {}, { headers: { 'x-idle': '1200' } });
  await login({ idleMinutes: 15 });
  expect((await client.send(userCalls.info)).code).toBe(401);
  await login({ idleMinutes: 30 });
  expect((await client.send(userCalls.info)).code).toBe(200);
  await login({ idleMinutes: 15 });
  expect((await client.send(userCalls.info)).code).toBe(200);
  await login({ totalMinutes: 60 });
  await age("created_at = now() - interval '61 minutes'");
  expect((await client.send(userCalls.info)).code).toBe(401);
});

test('the oldest session gives way', async () => {
  await login({ sessionsPerPerson: 2 });
  const person = await signInClient.person();
  const [first, second, third] = [
    await signInClient.signIn(person.account, PASSWORD),
    await signInClient.signIn(person.account, PASSWORD),
    await signInClient.signIn(person.account, PASSWORD),
  ];
  expect([
    (await first.send(userCalls.info)).code,
    (await second.send(userCalls.info)).code,
    (await third.send(userCalls.info)).code,
  ]).toEqual([401, 200, 200]);
});

test('outside of the network nobody signs in and no session works; nobody shuts out themselves', async () => {
  const person = await signInClient.person();
  const client = await signInClient.signIn(person.account, PASSWORD);
  expect(
    await faultOf(admin.send(policyCalls.loginEdit, { productLineId: 2, policy: { ...loginPresets.spec, addresses: ['10.0.0.0/8'] } })),
  ).toBe('ADDRESS_SHUTS_OUT');
  await app.context.unscoped((db) =>
    sql`insert into auth_policy (line, kind, value) values (2, 'login', ${JSON.stringify({ addresses: ['10.0.0.0/8'] })}::jsonb)`.execute(
      db,
    ),
  );
  expect(await faultOf(signInClient.attempt(person.account, PASSWORD))).toBe('ADDRESS_REFUSED');
  // Another line lets people in from anywhere: before the right password nobody learns of which line somebody is.
  for (const who of [person.account, 'not-there-at-all'])
    expect(await faultOf(signInClient.attempt(who, 'Wrong.Word4'))).toBe('LOGIN_FAILED');
  await app.context.unscoped((db) =>
    sql`insert into auth_policy (line, kind, value) select id, 'login', ${JSON.stringify({ addresses: ['10.0.0.0/8'] })}::jsonb
      from org_dept where kind in ('productLine', 'platform') on conflict (line, kind) do update set value = excluded.value`.execute(db),
  );
  for (const who of [person.account, 'not-there-at-all'])
    expect(await faultOf(signInClient.attempt(who, 'Wrong.Word4'))).toBe('ADDRESS_REFUSED');
  expect((await client.send(userCalls.info)).code).toBe(401);
});

test('a required second factor blocks everything but binding it, and whoever asks for it has one first', async () => {
  expect(await faultOf(admin.send(policyCalls.loginEdit, { productLineId: 2, policy: loginPresets.pci }))).toBe('MFA_FIRST');
  await app.context.unscoped((db) =>
    sql`insert into auth_policy (line, kind, value) values (2, 'login', '{"mfa":"required"}')`.execute(db),
  );
  const person = await signInClient.person();
  const client = await signInClient.signIn(person.account, PASSWORD);
  expect(await client.call(userCalls.info)).toMatchObject({ mfaStatus: '2', mfaBindStatus: '0' });
  expect(await faultOf(client.send(deptCalls.managed))).toBe('MFA_BIND_REQUIRED');
  expect((await client.send(signInCalls.logout)).code).toBe(200);
});

test('a password that the rules outgrew has to be changed after the next sign-in; one that ran out at once', async () => {
  const person = await signInClient.person();
  const before = await signInClient.signIn(person.account, PASSWORD);
  await passwords({ passwordMinLength: 15, passwordMaxLength: 64, remainValidPeriod: 30 });
  expect((await before.send(deptCalls.managed)).code).toBe(200);
  const client = await signInClient.signIn(person.account, PASSWORD);
  expect(await client.call(userCalls.info)).toMatchObject({ pwdPatternCheck: false, pwdExpireCheck: true });
  expect(await faultOf(client.send(deptCalls.managed))).toBe('PASSWORD_CHANGE_REQUIRED');
  const change = async (to: string) =>
    client.send(userCalls.password, {
      password: await signInClient.seal('password', PASSWORD),
      newPassword: await signInClient.seal('newPassword', to),
    });
  expect(await faultOf(change('Better.Word9'))).toBe('PASSWORD_WEAK');
  expect((await change('Much.Better.Word9')).code).toBe(200);
  expect((await client.send(deptCalls.managed)).code).toBe(200);
  await app.context.unscoped((db) =>
    sql`update account_user set password_at = now() - interval '31 days' where id = ${person.id}`.execute(db),
  );
  expect(await faultOf(client.send(deptCalls.managed))).toBe('PASSWORD_CHANGE_REQUIRED');
  expect(await client.call(userCalls.info)).toMatchObject({ pwdPatternCheck: true, pwdExpireCheck: false });
});

test('the last passwords are not taken again', async () => {
  await passwords({ history: 3 });
  const person = await signInClient.person();
  const client = await signInClient.signIn(person.account, PASSWORD);
  const change = async (from: string, to: string) =>
    client.send(userCalls.password, {
      password: await signInClient.seal('password', from),
      newPassword: await signInClient.seal('newPassword', to),
    });
  expect((await change(PASSWORD, 'Second.Wrd2')).code).toBe(200);
  expect((await change('Second.Wrd2', 'Third.Wrd33')).code).toBe(200);
  expect(await faultOf(change('Third.Wrd33', PASSWORD))).toBe('PASSWORD_USED');
  expect((await change('Third.Wrd33', 'Fourth.Wrd4')).code).toBe(200);
  expect((await change('Fourth.Wrd4', PASSWORD)).code).toBe(200);
});

test('the rules for a new password are told to who has none yet, and are the same for each address, of whichever line', async () => {
  await passwords({ passwordMinLength: 11 });
  const person = await signInClient.person();
  const known = await signInClient.nobody.call(signInCalls.policyByEmail, { email: person.email });
  expect(known.passwordMinLength).toBe(11);
  expect(await signInClient.nobody.call(signInCalls.policyByEmail, { email: 'nobody@example.com' })).toEqual(known);
  expect(await signInClient.nobody.call(signInCalls.invitePolicy, {})).toMatchObject({ passwordMinLength: 11 });
  await app.context.unscoped(async (db) => {
    const far = await addDept(db, { kind: 'productLine', name: 'Far line', parent: app.root });
    await writePolicy(db, far.id, 'password', { ...passwordPresets.pci, passwordMinLength: 13 });
    await sql`update account_user set dept_id = ${far.id}, dept_path = ${far.path} where account = ${person.account}`.execute(db);
  });
  const there = await signInClient.nobody.call(signInCalls.policyByEmail, { email: person.email });
  expect(await signInClient.nobody.call(signInCalls.policyByEmail, { email: 'nobody@example.com' })).toEqual(there);
  expect(there).toMatchObject({ passwordMinLength: 13, passwordMaxLength: 16 });
});

test('an act that asks for a proof is refused ten minutes after it', async () => {
  await app.context.unscoped((db) =>
    sql`update auth_session set proved_at = now() - interval '11 minutes' where user_id = ${admin.userId}`.execute(db),
  );
  const { code, body } = await admin.send(policyCalls.pwdEdit, { productLineId: 2, policy: passwordPresets.spec });
  expect([code, body?.fault]).toEqual([403, 'STEP_UP_REQUIRED']);
  await app.context.unscoped((db) => sql`update auth_session set proved_at = now() where user_id = ${admin.userId}`.execute(db));
});
