import { roleCalls } from '@mooring/contract/access/role-calls';
import { inviteCalls, memberCalls } from '@mooring/contract/account/member-calls';
import { leavingCalls, mfaCalls, passkeyCalls } from '@mooring/contract/account/own-calls';
import { realNameCalls } from '@mooring/contract/account/real-name-calls';
import { TOKENS_PER_PERSON, tokenCalls } from '@mooring/contract/account/token-calls';
import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import { loginPresets } from '@mooring/contract/auth/policy';
import { deptCalls } from '@mooring/contract/org/calls';
import { makeDeviceKeys } from '@mooring/terminal/device-keys';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import { seededRole } from '../access/api.ts';
import { countSending, openSession } from '../auth/api.ts';
import { firstAdministrator } from './api.ts';

/*
 * Rules over a set of rows, each broken by two who check side by side. A new rule of this kind (a last one, a count) gets its case here;
 * a limit of rows that a call adds is a line of side-by-side-limits.medium.test.ts.
 */
let app: TestApp;
let admin: Client;
const roles: Record<string, number> = {};

beforeAll(async () => {
  app = await testApp({ env: { DATABASE_POOL: '12' } });
  admin = await app.person('platformAdmin', app.root);
  await app.context.unscoped(async (db) => {
    for (const code of ['orgMember', 'auditor']) roles[code] = await seededRole(db, code);
  });
});
afterAll(() => app.stop());

beforeEach(async () => {
  await run(sql`delete from auth_policy`);
  await run(sql`update account_user set state = '0' where id = ${admin.userId}`);
});

const run = <T = unknown>(statement: ReturnType<typeof sql<T>>) => app.context.unscoped((db) => statement.execute(db));
const numberOf = async (statement: ReturnType<typeof sql<{ n: number }>>) => (await run(statement)).rows[0]?.n ?? -1;
const times = <T>(n: number, work: (at: number) => Promise<T>) => Promise.all(Array.from({ length: n }, (_all, at) => work(at)));
const administrators = () =>
  numberOf(sql<{ n: number }>`select count(*)::int as n from account_user u where state = '0' and is_dept_open(dept_path)
    and exists (select from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = u.id and '*' = any(r.menus))`);

/** Two ways to take an administrator away; by whom, and whom. */
const ways = {
  disable: (by: Client, of: Client) => by.send(memberCalls.disable, { id: of.userId }),
  'take the role': (by: Client, of: Client) =>
    by.send(memberCalls.update, { id: of.userId, userName: 'Was one', deptId: 1, roleIds: [roles.auditor] }),
  leave: async (_by: Client, of: Client) => {
    const { rows } = await run<{ account: string }>(sql`select account from account_user where id = ${of.userId}`);
    return of.send(leavingCalls.cancel, { account: rows[0]?.account });
  },
};
const pairs = [
  ['disable', 'disable'],
  ['disable', 'take the role'],
  ['take the role', 'take the role'],
  ['leave', 'disable'],
  ['leave', 'leave'],
] as const;

test.each(pairs)('two administrators, %s beside %s: one stays', async (one, other) => {
  for (let round = 0; round < 4; round += 1) {
    const [a, b] = [await app.person('platformAdmin', app.root), await app.person('platformAdmin', app.root)];
    await run(sql`update account_user set state = '1' where id <> ${a.userId} and id <> ${b.userId} and state = '0'`);
    await Promise.all([ways[one](a, b), ways[other](b, a)]);
    expect(await administrators()).toBeGreaterThan(0);
  }
});

test('the department of one administrator is disabled beside the other: one stays', async () => {
  for (let round = 0; round < 4; round += 1) {
    const dept = await app.dept(`Apart ${round}`);
    const [above, apart] = [await app.person('platformAdmin', app.root), await app.person('platformAdmin', dept)];
    await run(sql`update account_user set state = '1' where id <> ${above.userId} and id <> ${apart.userId} and state = '0'`);
    const { account } = (await run<{ account: string }>(sql`select account from account_user where id = ${above.userId}`)).rows[0] ?? {
      account: '',
    };
    await Promise.all([above.send(deptCalls.disable, { id: dept.id }), above.send(leavingCalls.cancel, { account })]);
    expect(await administrators()).toBeGreaterThan(0);
  }
});

test('nobody gets more tokens than the limit', async () => {
  const person = await app.person('orgManager', await app.dept('Tokens'));
  const add = () => person.send(tokenCalls.add, { name: 'one', scopes: ['device:device:page'], days: 30 });
  await run(sql`insert into account_api_token (name, token_hash, hint, user_id, dept_path, platform, scopes, per_minute)
    select 'old', sha256(n::text::bytea), 'mtk', ${person.userId}, '1.', 'centre', '{}', 1 from generate_series(2, ${TOKENS_PER_PERSON}) n`);
  const answers = await times(8, add);
  expect(answers.filter((one) => one.code === 200).length).toBe(1);
  expect(await numberOf(sql<{ n: number }>`select count(*)::int as n from account_api_token where user_id = ${person.userId}`)).toBe(
    TOKENS_PER_PERSON,
  );
});

test('nobody has more open sessions than the policy allows', async () => {
  const policy = JSON.stringify({ ...loginPresets.spec, sessionsPerPerson: 2 });
  await run(
    sql`insert into auth_policy (line, kind, value) select line, 'login', ${policy}::jsonb from unnest(array[1, 2]) line on conflict (line, kind) do update set value = excluded.value`,
  );
  const person = await app.person('orgManager', await app.dept('Sessions'));
  await times(8, () => app.context.unscoped((db) => openSession(db, person.userId, 'centre', '127.0.0.1', 'test')));
  expect(
    await numberOf(sql<{ n: number }>`select count(*)::int as n from auth_session where user_id = ${person.userId} and ended_at is null`),
  ).toBe(2);
});

test('two factors that are taken away at once: one stays where the policy wants one', async () => {
  for (let round = 0; round < 2; round += 1) {
    const person = await app.person('orgManager', await app.dept(`Factors ${round}`));
    await run(sql`insert into account_totp (user_id, secret_sealed, bound_at) values (${person.userId}, decode('00', 'hex'), now())`);
    const { rows } = await run<{ id: number }>(
      sql`insert into account_passkey (user_id, credential_id, public_key, name) values (${person.userId}, ${`key-${round}`}, decode('00', 'hex'), 'key') returning id`,
    );
    await run(
      sql`insert into auth_policy (line, kind, value) select line, 'login', '{"mfa":"required"}'::jsonb from unnest(array[1, 2]) line on conflict do nothing`,
    );
    await Promise.all([person.send(mfaCalls.unbind), person.send(passkeyCalls.delete, { id: rows[0]?.id })]);
    const left = sql<{
      n: number;
    }>`select ((select count(*) from account_totp where user_id = ${person.userId}) + (select count(*) from account_passkey where user_id = ${person.userId}))::int as n`;
    expect(await numberOf(left)).toBe(1);
  }
});

test('of several who ask for a code at once one is sent it', async () => {
  const answers = await times(6, () =>
    app.context
      .unscoped((db) => countSending(db, 'side@example.com', '192.0.2.1', 'login'))
      .then(
        () => 'sent',
        () => 'waits',
      ),
  );
  expect(answers.filter((one) => one === 'sent').length).toBe(1);
});

test('nobody has more pictures that belong to nothing than the limit', async () => {
  const person = await app.person('orgManager', await app.dept('Pictures'));
  const { default: sharp } = await import('sharp');
  const image = (
    await sharp({ create: { width: 40, height: 40, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
  ).toString('base64');
  await run(
    sql`insert into account_real_name_picture (user_id, sha256) select ${person.userId}, md5(n::text) || md5(n::text) from generate_series(1, 19) n`,
  );
  const answers = await times(6, () => person.send(realNameCalls.addPicture, { image }));
  expect(answers.filter((one) => one.code === 200).length).toBe(1);
});

test('a role that is deleted beside being given is one or the other, and no error of the server', async () => {
  const dept = await app.dept('Roles');
  for (let round = 0; round < 8; round += 1) {
    const { id } = await admin.call(roleCalls.add, { name: `Beside ${round}`, type: '2', menus: ['device'] });
    const person = { account: `beside.${round}`, userName: 'Beside', deptId: dept.id, roleIds: [id] };
    const [given, gone] = await Promise.all([admin.send(memberCalls.add, person), admin.send(roleCalls.delete, { id })]);
    expect([given.code, gone.code]).not.toContain(500);
    expect([given.code, gone.code].filter((code) => code === 200).length).toBe(1);
  }
});

test('… and so is one that an invitation gives', async () => {
  const dept = await app.dept('Invited');
  const client = signInClientOf(app);
  for (let round = 0; round < 2; round += 1) {
    const { id } = await admin.call(roleCalls.add, { name: `Offered ${round}`, type: '2', menus: ['device'] });
    const email = `offered${round}@example.com`;
    await admin.call(inviteCalls.add, { email, deptId: dept.id, roleIds: [id] });
    const invite = /invite=([\w-]+)/.exec((await client.mailTo(email))?.text ?? '')?.[1] ?? '';
    const password = await client.seal('regist', 'Fresh.Water8');
    const come = () => client.nobody.send(invitedCalls.userRegist, { invite, account: `offered.${round}`, userName: 'O', password });
    // Deleted, and not committed when the invitation is answered.
    const [came] = await asOwner(app.url, async (owner) => {
      await owner.query('begin');
      await owner.query(`select pg_advisory_xact_lock(hashtextextended('set:role:' || $1::text, 0))`, [id]);
      await owner.query('delete from access_role where id = $1', [id]);
      const coming = come();
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await owner.query(waits)).rowCount, { interval: 10 }).toBeGreaterThan(0);
      await owner.query('commit');
      return [await coming];
    });
    expect(came?.code).not.toBe(500);
    expect(came?.code).not.toBe(200);
  }
});

/** A terminal that nobody expects asks to be let in; answers the status. */
async function ask(sn: string, keys = makeDeviceKeys()): Promise<number> {
  const payload = { sn, product: 'A920', request: await keys.request(sn) };
  return (await app.http.inject({ method: 'POST', url: '/d/enrol', payload })).statusCode;
}
const waits = (all: readonly number[]) => all.filter((status) => status === 202).length;

test('no more terminals wait by one key, or from one address, than may', async () => {
  const keys = makeDeviceKeys();
  expect(waits(await times(8, (at) => ask(`ONE-KEY-${at}`, keys)))).toBe(5);
  const now = app.clock.now;
  await run(sql`delete from device_pending`);
  await run(sql`insert into device_pending (sn, key_hash, product_code, ip, home, dept_path, first_at, last_at)
    select 'MANY-' || n, 'key-' || n, 'A920', '127.0.0.1', '127.0.0.1', '1.', ${now}, ${now} from generate_series(1, 298) n`);
  expect(waits(await times(8, (at) => ask(`ONE-HOME-${at}`)))).toBe(2);
});

test('two processes that begin on an empty installation make one administrator', async () => {
  const empty = await testApp({ env: { DATABASE_POOL: '6' } });
  try {
    const made = await times(5, () => empty.context.unscoped(firstAdministrator));
    expect(made.filter((one) => one !== undefined)).toHaveLength(1);
  } finally {
    await empty.stop();
  }
});
