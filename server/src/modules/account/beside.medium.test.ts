import { memberCalls } from '@mooring/contract/account/member-calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { hashPassword } from '../auth/api.ts';
import { beginTotp, consumeTotp } from './second-factor.ts';
import { codeOfStep, stepAt } from './totp.ts';

/** What ends sessions, beside what opens one at the same moment: whichever comes first, none is left. */

let app: TestApp;
let signInClient: SignInClient;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  admin = await app.person('platformAdmin', app.root, 'manager');
});
afterAll(() => app.stop());

const waiting = async () => {
  const { rows } = await app.context.pools.owner.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rows.length;
};
/** In one transaction: what is done before the other begins, and what after it waits or is through. */
async function beside<T>(
  before: (client: pg.PoolClient) => Promise<unknown>,
  other: () => Promise<T>,
  after: (client: pg.PoolClient) => Promise<unknown>,
): Promise<T> {
  const client = await app.context.pools.owner.connect();
  try {
    await client.query('begin');
    await before(client);
    let through = false;
    const running = other().finally(() => {
      through = true;
    });
    await expect.poll(async () => through || (await waiting()) > 0).toBe(true);
    await after(client);
    await client.query('commit');
    return await running;
  } finally {
    client.release();
  }
}
const open = async (userId: number) =>
  (await app.context.pools.owner.query('select from auth_session where user_id = $1 and ended_at is null', [userId])).rows.length;

test.each([
  ['is changed', 'password_hash = $2'],
  ['is the same and the person is disabled', "state = '1', name = $2"],
])('a sign-in under way gets no session when the password %s meanwhile', async (_, set) => {
  const person = await signInClient.person();
  const hash = await hashPassword('Other.Word5x');
  const { code } = await beside(
    (client) => client.query(`update account_user set ${set} where id = $1`, [person.id, hash]),
    () => signInClient.attempt(person.account, PASSWORD),
    (client) => client.query('update auth_session set ended_at = now() where user_id = $1', [person.id]),
  );
  expect([code, await open(person.id)]).toEqual([400, 0]);
});

test('crossing over beside a logout leaves no session, whichever is first', async () => {
  const person = await signInClient.person({ dept: app.root, roles: ['platformAdmin'] });
  const first = await signInClient.signIn(person.account, PASSWORD);
  await beside(
    (client) => client.query('update auth_session set ended_at = now() where user_id = $1', [person.id]),
    () => first.send(loginCalls.cross, { platform: 'manager' }),
    async () => {},
  );
  expect(await open(person.id)).toBe(0);
  const second = await signInClient.signIn(person.account, PASSWORD);
  await beside(
    async (client) => {
      const { rows } = await client.query('select id from auth_session where user_id = $1 and ended_at is null for update', [person.id]);
      await client.query(
        `insert into auth_session (token_hash, user_id, platform, ip, expires_at, family) select 'x', user_id, 'manager', ip, expires_at, id from auth_session where id = $1`,
        [rows[0].id],
      );
    },
    () => second.send(signInCalls.logout),
    async () => {},
  );
  expect(await open(person.id)).toBe(0);
});

test('what was begun with the old password ends with it: the second step and the ticket of a reset', async () => {
  const person = await signInClient.person({ roles: ['orgManager'] });
  const { masterKey } = app.context;
  const secret = await app.context.unscoped((db) => beginTotp(db, masterKey, person.id));
  const codeAt = (later: number) => codeOfStep(secret, stepAt(new Date(app.clock.now.getTime() + later * 30_000)));
  await app.context.unscoped((db) => consumeTotp(db, masterKey, person.id, codeAt(-1), app.clock.now, false));
  const ticket = (await signInClient.firstStep(person.account, PASSWORD)).mfa?.ticket ?? '';
  expect(ticket).not.toBe('');
  const asked = await signInClient.codeFor(person.email, 'reset');
  const reset = await signInClient.nobody.call(signInCalls.validateCode, { email: person.email, ...asked });
  await admin.call(memberCalls.resetPassword, { id: person.id });
  const step = await signInClient.nobody.send(signInCalls.validateLogin, { ticket, method: 'totp', code: codeAt(0) });
  expect(step.body?.fault).toBe('TICKET_OVER');
  const again = await signInClient.nobody.send(signInCalls.resetPassword, {
    ticket: reset.ticket,
    newPassword: await signInClient.seal('newPassword', 'Better.Word9'),
  });
  expect(again.body?.fault).toBe('TICKET_OVER');
  expect(await open(person.id)).toBe(0);
});
