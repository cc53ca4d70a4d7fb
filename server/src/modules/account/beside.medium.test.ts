import { memberCalls } from '@mooring/contract/account/member-calls';
import { doorCalls, loginCalls } from '@mooring/contract/auth/calls';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Doors, doorsOf, PASSWORD } from '../../../test/doors.ts';
import { type Client, type TestHouse, testHouse } from '../../../test/house.ts';
import { hashPassword } from '../auth/api.ts';
import { beginTotp, takeTotp } from './second-factor.ts';
import { codeOfStep, stepAt } from './totp.ts';

/** What ends sessions, beside what opens one at the same moment: whichever comes first, none is left. */

let house: TestHouse;
let doors: Doors;
let admin: Client;
beforeAll(async () => {
  house = await testHouse();
  doors = doorsOf(house);
  admin = await house.person('platformAdmin', house.root, 'manager');
});
afterAll(() => house.stop());

const waiting = async () => {
  const { rows } = await house.house.pools.owner.query(
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
  const client = await house.house.pools.owner.connect();
  try {
    await client.query('begin');
    await before(client);
    let through = false;
    const running = other().finally(() => {
      through = true;
    });
    await expect.poll(async () => through || (await waiting()) > 0, { timeout: 5000 }).toBe(true);
    await after(client);
    await client.query('commit');
    return await running;
  } finally {
    client.release();
  }
}
const open = async (userId: number) =>
  (await house.house.pools.owner.query('select from auth_session where user_id = $1 and ended_at is null', [userId])).rows.length;

test.each([
  ['is changed', 'password_hash = $2'],
  ['is the same and the person is disabled', "state = '1', name = $2"],
])('a sign-in under way gets no session when the password %s meanwhile', async (_, set) => {
  const person = await doors.person();
  const hash = await hashPassword('Other.Word5x');
  const { code } = await beside(
    (client) => client.query(`update account_user set ${set} where id = $1`, [person.id, hash]),
    () => doors.attempt(person.account, PASSWORD),
    (client) => client.query('update auth_session set ended_at = now() where user_id = $1', [person.id]),
  );
  expect([code, await open(person.id)]).toEqual([400, 0]);
});

test('crossing over beside a logout leaves no session, whichever is first', async () => {
  const person = await doors.person({ dept: house.root, roles: ['platformAdmin'] });
  const first = await doors.signIn(person.account, PASSWORD);
  await beside(
    (client) => client.query('update auth_session set ended_at = now() where user_id = $1', [person.id]),
    () => first.send(loginCalls.cross, { platform: 'manager' }),
    async () => {},
  );
  expect(await open(person.id)).toBe(0);
  const second = await doors.signIn(person.account, PASSWORD);
  await beside(
    async (client) => {
      const { rows } = await client.query('select id from auth_session where user_id = $1 and ended_at is null for update', [person.id]);
      await client.query(
        `insert into auth_session (token_hash, user_id, platform, ip, expires_at, family) select 'x', user_id, 'manager', ip, expires_at, id from auth_session where id = $1`,
        [rows[0].id],
      );
    },
    () => second.send(doorCalls.logout),
    async () => {},
  );
  expect(await open(person.id)).toBe(0);
});

test('what was begun with the old password ends with it: the second step and the ticket of a reset', async () => {
  const person = await doors.person({ roles: ['orgManager'] });
  const { masterKey } = house.house;
  const secret = await house.house.unscoped((db) => beginTotp(db, masterKey, person.id));
  const codeAt = (later: number) => codeOfStep(secret, stepAt(new Date(house.clock.now.getTime() + later * 30_000)));
  await house.house.unscoped((db) => takeTotp(db, masterKey, person.id, codeAt(-1), house.clock.now, false));
  const ticket = (await doors.firstStep(person.account, PASSWORD)).mfa?.ticket ?? '';
  expect(ticket).not.toBe('');
  await doors.nobody.send(loginCalls.sendCode, { email: person.email, purpose: 'reset', proof: await doors.proof('code') });
  const { code = '' } = (await doors.mailTo(person.email)) ?? {};
  const reset = await doors.nobody.call(doorCalls.validateCode, { email: person.email, code });
  await admin.call(memberCalls.resetPassword, { id: person.id });
  const step = await doors.nobody.send(doorCalls.validateLogin, { ticket, method: 'totp', code: codeAt(0) });
  expect(step.body?.fault).toBe('TICKET_OVER');
  const again = await doors.nobody.send(doorCalls.resetPassword, {
    ticket: reset.ticket,
    newPassword: await doors.seal('newPassword', 'Better.Word9'),
  });
  expect(again.body?.fault).toBe('TICKET_OVER');
  expect(await open(person.id)).toBe(0);
});
