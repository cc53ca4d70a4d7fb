import { userCalls } from '@mooring/contract/account/calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { signInCalls } from '@mooring/contract/auth/calls';
import { loginPresets } from '@mooring/contract/auth/policy';
import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { readSetting, writeSetting } from '../../platform/settings.ts';
import { beginTotp, consumeTotp } from './second-factor.ts';
import { codeOfStep, stepAt } from './totp.ts';
import { unlockAccount } from './unlock-account.ts';

const TRIES = 4;
const WRONG = 'Wrong.Word4';
let app: TestApp;
let signInClient: SignInClient;
let admin: Client;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  admin = await app.person('platformAdmin', app.root, 'manager');
});
afterAll(() => app.stop());
beforeEach(async () => {
  const policy = JSON.stringify({ ...loginPresets.spec, maxTries: TRIES, captchaAfter: 100, lockMinutes: 15 });
  await app.context.unscoped(async (db) => {
    await sql`delete from auth_attempt`.execute(db);
    await sql`insert into auth_policy (line, kind, value) select line, 'login', ${policy}::jsonb from unnest(array[1, 2]) line on conflict (line, kind) do update set value = excluded.value`.execute(
      db,
    );
  });
});

const run = (statement: ReturnType<typeof sql>) => app.context.unscoped((db) => statement.execute(db));
/** As if whatever is waited for were over, and the next try came from another address. */
const later = () =>
  run(
    sql`with other as (delete from auth_attempt where key like 'address:%') update auth_attempt set blocked_until = now() - interval '1 second' where blocked_until is not null`,
  );
const waitOf = async (key: string): Promise<number> => {
  const row = await app.context.unscoped((db) => db.selectFrom('auth_attempt').selectAll().where('key', '=', key).executeTakeFirst());
  // Written by the statement that says until when it is remembered: a day from then.
  return row?.blocked_until ? Math.round((row.blocked_until.getTime() - row.until.getTime()) / 1000) + 86_400 : 0;
};
const faultOf = async (answer: ReturnType<Client['send']>) => {
  const { code, body } = await answer;
  return body?.fault ?? code;
};
const wrong = (account: string) => faultOf(signInClient.attempt(account, WRONG));
const use = async (account: string) => {
  for (let tries = 0; tries < TRIES; tries += 1) expect(await wrong(account)).toBe('LOGIN_FAILED');
};
/** The last administrator of the server: the other one is out meanwhile. */
async function chief() {
  const person = await signInClient.person({ dept: app.root, roles: ['platformAdmin'] });
  await run(sql`update account_user set state = '1' where id = ${admin.userId}`);
  return person;
}
const restore = () => run(sql`update account_user set state = '0' where id = ${admin.userId}`);

test.each([['somebody'], ['the last administrator'], ['nobody at all']])(
  'each further try of %s waits twice as long, from wherever it comes, up to the policy’s time',
  async (who) => {
    const person =
      who === 'nobody at all' ? { id: 0, account: 'not-there-at-all' } : who === 'somebody' ? await signInClient.person() : await chief();
    try {
      const key = `typed:${person.account}`;
      await use(person.account);
      const waits = [await waitOf(key)];
      expect(await faultOf(signInClient.attempt(person.account, PASSWORD))).toBe('TOO_MANY');
      for (let more = 0; more < 7; more += 1) {
        await later();
        expect(await wrong(person.account)).toBe('LOGIN_FAILED');
        waits.push(await waitOf(key));
      }
      expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
      // Never more than a wait: after it the right one gets in.
      await later();
      expect((await signInClient.attempt(person.account, PASSWORD)).code).toBe(person.id === 0 ? 400 : 200);
    } finally {
      await restore();
    }
  },
);

test('of many at once only as many as are free are looked at', async () => {
  const person = await signInClient.person();
  const answers = await Promise.all(Array.from({ length: 12 }, () => wrong(person.account)));
  expect(answers.filter((one) => one === 'LOGIN_FAILED').length).toBe(TRIES);
  expect(answers.filter((one) => one === 'TOO_MANY').length).toBe(12 - TRIES);
});

test('wrong codes of the second factor count with wrong passwords, and a right password gives no further ones', async () => {
  const person = await signInClient.person({ dept: app.root, roles: ['platformAdmin'] });
  const { masterKey } = app.context;
  const secret = await app.context.unscoped((db) => beginTotp(db, masterKey, person.id));
  const codeAt = (later: number) => codeOfStep(secret, stepAt(new Date(app.clock.now.getTime() + later * 30_000)));
  await app.context.unscoped((db) => consumeTotp(db, masterKey, person.id, codeAt(-1), app.clock.now, false));
  let failed = 0;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ticket = (await signInClient.firstStep(person.account, PASSWORD)).mfa?.ticket ?? '';
    if ((await faultOf(signInClient.nobody.send(signInCalls.validateLogin, { ticket, method: 'totp', code: '000000' }))) === 'CODE_REFUSED')
      failed += 1;
  }
  expect(failed).toBe(TRIES);
  expect(await faultOf(signInClient.attempt(person.account, PASSWORD))).toBe('TOO_MANY');
  await later();
  const { mfa } = await signInClient.firstStep(person.account, PASSWORD);
  expect(
    (await signInClient.nobody.send(signInCalls.validateLogin, { ticket: mfa?.ticket ?? '', method: 'totp', code: codeAt(0) })).code,
  ).toBe(200);
});

test('strangers make only strangers wait: who signed in from here before, open sessions and API tokens go on', async () => {
  const person = await signInClient.person({ dept: { id: 2, path: '1.2.' }, roles: ['productLineAdmin'] });
  const inside = await signInClient.signIn(person.account, PASSWORD);
  const { token } = await inside.call(tokenCalls.add, { name: 'till', scopes: ['device:device:page'], days: 30 });
  await run(
    sql`insert into auth_attempt (key, failures, until, blocked_until)
      select key, 50, now() + interval '1 day', now() + interval '15 minutes' from unnest(${[`account:#${person.id}`, `typed:${person.account}`]}::text[]) key`,
  );
  await signInClient.signIn(person.account, PASSWORD);
  expect((await inside.send(userCalls.info)).code).toBe(200);
  expect((await clientOf(app.http, token, person.id, 'centre', 0).send(deviceCalls.page)).code).toBe(200);
  // From a place that is new to them they wait as anybody.
  await run(sql`update auth_session set ip = '192.0.2.7' where user_id = ${person.id}`);
  expect(await faultOf(signInClient.attempt(person.account, PASSWORD))).toBe('TOO_MANY');
});

test('names, addresses and capitals of one person count together, and no name tells of the other; they are told once, and an administrator ends it', async () => {
  const person = await signInClient.person();
  for (const name of [person.account, person.email, person.account.toUpperCase(), person.email.toUpperCase()]) await wrong(name);
  // All tries there are for one person are used up: nothing is looked at, the right one neither, and it says what it says of a wrong one.
  for (const name of [person.account, person.email]) expect(await faultOf(signInClient.attempt(name, PASSWORD))).toBe('LOGIN_FAILED');
  await later();
  await wrong(person.account);
  expect(await faultOf(signInClient.attempt(person.email, PASSWORD))).toBe('LOGIN_FAILED');
  expect(await signInClient.mailTo(person.email)).toMatchObject({ template: 'locked' });
  const mails = await app.context.unscoped((db) =>
    db.selectFrom('mail_message').select('id').where('recipient', '=', person.email).execute(),
  );
  expect(mails.length).toBe(1);
  const shown = await admin.call(memberCalls.detail, { id: person.id });
  expect([shown.state, shown.lockedUntil === null, shown.allowedActions.includes('unlock')]).toEqual(['0', false, true]);
  expect((await admin.call(memberCalls.unlock, { id: person.id })).lockedUntil).toBeNull();
  await signInClient.signIn(person.account, PASSWORD);
});

test('where nobody is left who could approve, the command on the server switches dual control off', async () => {
  const enabled = () => app.context.unscoped(async (db) => (await readSetting(db, 'dualControl')).enabled);
  await app.context.unscoped((db) => writeSetting(db, app.context.masterKey, 'dualControl', { enabled: true }, app.clock.now));
  const person = await chief();
  const unlocking = { account: person.account, newPassword: false, withoutFactors: false };
  expect((await unlockAccount(app.context, unlocking)).done).toEqual([]);
  expect(await enabled()).toBe(true);
  expect((await unlockAccount(app.context, { ...unlocking, withoutDualControl: true })).done).toEqual(['dual control switched off']);
  expect(await enabled()).toBe(false);
});

test('the command on the server lets in again whom nobody else could: after tries, without password, without second factor, disabled', async () => {
  const person = await chief();
  try {
    await use(person.account);
    expect(await unlockAccount(app.context, { account: person.account, newPassword: false, withoutFactors: false })).toMatchObject({
      done: ['waiting after failed attempts is over'],
    });
    await signInClient.signIn(person.account, PASSWORD);
    await run(sql`update account_user set state = '1', password_hash = null where id = ${person.id}`);
    await app.context.unscoped((db) => beginTotp(db, app.context.masterKey, person.id));
    const { password = '' } = await unlockAccount(app.context, {
      account: person.email.toUpperCase(),
      newPassword: true,
      withoutFactors: true,
    });
    expect(await (await signInClient.signIn(person.account, password)).call(userCalls.info)).toMatchObject({ account: person.account });
    const row = await app.context.unscoped((db) =>
      db.selectFrom('audit_entry').selectAll().where('call', '=', 'npm run unlock').orderBy('id', 'desc').executeTakeFirstOrThrow(),
    );
    expect([row.target, row.result, JSON.stringify(row).includes(password)]).toEqual([person.account, 'done', false]);
    await expect(unlockAccount(app.context, { account: 'nobody', newPassword: false, withoutFactors: false })).rejects.toThrow(
      'no account',
    );
  } finally {
    await restore();
  }
});

test('the present password can’t be guessed through its change', async () => {
  const person = await signInClient.person();
  const client = await signInClient.signIn(person.account, PASSWORD);
  const change = async (from: string) =>
    faultOf(
      client.send(userCalls.password, {
        password: await signInClient.seal('password', from),
        newPassword: await signInClient.seal('newPassword', 'Better.Word9'),
      }),
    );
  for (let tries = 0; tries < 10; tries += 1) expect(await change(WRONG)).toBe('PASSWORD_WRONG');
  expect(await change(PASSWORD)).toBe('TOO_MANY');
});
