import { menuCalls } from '@mooring/contract/access/calls';
import { userCalls } from '@mooring/contract/account/calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { addUser } from '../account/api.ts';

let app: TestApp;
let signInClient: SignInClient;
let nobody: Client;
const { attempt, signIn, seal } = {
  attempt: (...given: Parameters<SignInClient['attempt']>) => signInClient.attempt(...given),
  signIn: (...given: Parameters<SignInClient['signIn']>) => signInClient.signIn(...given),
  seal: (...given: Parameters<SignInClient['seal']>) => signInClient.seal(...given),
};
let serial = 0;
let account = '';

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  nobody = signInClient.nobody;
});
afterAll(() => app.stop());
beforeEach(async () => {
  serial += 1;
  account = `login${serial}`;
  await app.context.unscoped((db) =>
    addUser(db, {
      account,
      name: account,
      email: `${account}@example.com`,
      password: PASSWORD,
      dept: app.root,
      roles: ['platformAdmin'],
    }),
  );
  await app.context.unscoped((db) => db.deleteFrom('auth_attempt').execute());
});

test('signs in by account or e-mail, in any case', async () => {
  for (const who of [account, account.toUpperCase(), `${account}@example.com`]) expect((await attempt(who, PASSWORD)).code).toBe(200);
});

test('a sealed password works once: the same message again is refused', async () => {
  const input = { account, password: await seal('login', PASSWORD) };
  expect((await nobody.send(loginCalls.account, input)).code).toBe(200);
  expect((await nobody.send(loginCalls.account, input)).body?.fault).toBe('SEAL_REFUSED');
});

test('a seal for another purpose, of another key, or too old is refused', async () => {
  expect((await nobody.send(loginCalls.account, { account, password: await seal('newPassword', PASSWORD) })).body?.fault).toBe(
    'SEAL_REFUSED',
  );
  const sealed: { nonce: string } = await seal('login', PASSWORD);
  expect((await nobody.send(loginCalls.account, { account, password: { ...sealed, keyId: 'other' } })).body?.fault).toBe('SEAL_REFUSED');
  expect(
    (
      await nobody.send(loginCalls.account, {
        account,
        password: { ...sealed, nonce: `${sealed.nonce.slice(0, -1)}${sealed.nonce.endsWith('A') ? 'B' : 'A'}` },
      })
    ).body?.fault,
  ).toBe('SEAL_REFUSED');
  app.clock.now = new Date(app.clock.now.getTime() + 121_000);
  expect((await nobody.send(loginCalls.account, { account, password: sealed })).body?.fault).toBe('SEAL_REFUSED');
});

test('an unknown account and a wrong password get the same answer', async () => {
  const [wrong, unknown] = [await attempt(account, 'Wrong.Word4'), await attempt('nobody-at-all', 'Wrong.Word4')];
  expect({ ...wrong }).toEqual({ ...unknown });
  expect(wrong.body?.fault).toBe('LOGIN_FAILED');
});

test('whoever waits is told how long', async () => {
  await app.context.unscoped((db) =>
    db
      .insertInto('auth_attempt')
      .values({
        key: `typed:${account}`,
        failures: 10,
        until: new Date(Date.now() + 60_000),
        blocked_until: new Date(Date.now() + 60_000),
      })
      .execute(),
  );
  const { code, status, body, message } = await attempt(account, PASSWORD);
  expect([code, status, body?.fault]).toEqual([429, 429, 'TOO_MANY']);
  expect(message).toMatch(/\d+ second/);
});

test('a token ends with its logout, and only that one', async () => {
  const [one, other] = [await signIn(account, PASSWORD), await signIn(account, PASSWORD)];
  await one.call(signInCalls.logout);
  expect((await one.send(userCalls.info)).code).toBe(401);
  expect((await other.send(userCalls.info)).code).toBe(200);
});

test('crossing over gives a token of the other platform; neither works as the other', async () => {
  const centre = await signIn(account, PASSWORD);
  const { token } = await centre.call(loginCalls.cross, { platform: 'manager' });
  const manager = clientOf(app.http, token, 0, 'manager', 1);
  expect((await manager.call(userCalls.info)).account).toBe(account);
  expect((await manager.send(userCalls.info, {}, { headers: { 'accept-platform': 'centre' } })).body?.fault).toBe('WRONG_PLATFORM');
});

test('a first password lets nothing through but its change, which ends the other sessions', async () => {
  await app.context.unscoped((db) =>
    db.updateTable('account_user').set({ password_initial: true }).where('account', '=', account).execute(),
  );
  const [one, other] = [await signIn(account, PASSWORD), await signIn(account, PASSWORD)];
  expect((await one.send(menuCalls.nav, { menuType: 'centre' })).body?.fault).toBe('PASSWORD_CHANGE_REQUIRED');
  const change = async (from: string, to: string) =>
    one.send(userCalls.password, { password: await seal('password', from), newPassword: await seal('newPassword', to) });
  expect((await change(PASSWORD, 'short')).body?.fault).toBe('PASSWORD_WEAK');
  expect((await change(PASSWORD, PASSWORD)).body?.fault).toBe('PASSWORD_SAME');
  expect((await change('Wrong.Word4', 'Better.Word9')).body?.fault).toBe('PASSWORD_WRONG');
  expect((await change(PASSWORD, 'Better.Word9')).code).toBe(200);
  expect((await one.send(menuCalls.nav, { menuType: 'centre' })).code).toBe(200);
  expect((await other.send(userCalls.info)).code).toBe(401);
  expect((await attempt(account, PASSWORD)).body?.fault).toBe('LOGIN_FAILED');
});

test('a role that is taken away works at once in open sessions; without any menu the answer is the specification’s', async () => {
  const client = await signIn(account, PASSWORD);
  expect((await client.call(menuCalls.nav, { menuType: 'centre' })).length).toBeGreaterThan(2);
  await app.context.unscoped((db) => db.deleteFrom('access_user_role').execute());
  const { code, message } = await client.send(menuCalls.nav, { menuType: 'centre' });
  expect([code, message]).toEqual([500, 'No menu permission']);
});

test('secrets stand in no audit row', async () => {
  const rows = await app.context.unscoped((db) => db.selectFrom('audit_entry').selectAll().execute());
  expect(rows.length).toBeGreaterThan(5);
  expect(JSON.stringify(rows)).not.toMatch(/Good\.Word|Better\.Word|"data":"/);
});
