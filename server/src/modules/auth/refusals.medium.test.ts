import { userCalls } from '@mooring/contract/account/calls';
import { leavingCalls } from '@mooring/contract/account/own-calls';
import { logCalls } from '@mooring/contract/audit-log/calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import { ssoCalls } from '@mooring/contract/auth/sso-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lockWaits } from '../../../test/lock-waits.ts';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { localCertificate } from '../../platform/config/local-certificate.ts';

let app: TestApp;
let signInClient: SignInClient;
let admin: Client;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await logged();
  await app.context.pools.owner.query(`delete from audit_entry where request_id = 'refused'`);
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
});

/** What the minute's end writes. */
async function logged() {
  await app.context.refusals.flush();
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  await app.context.unscoped((db) => app.context.enqueue(db, 'audit:refusals', {}));
  await app.runJobs();
  const { content } = await admin.call(logCalls.page, { page: { size: 100 } });
  return content.filter((one) => one.requestId === 'refused');
}

test('each way to be refused leaves a row: who was tried, from where, what came of it, how often', async () => {
  const person = await signInClient.person();
  for (let tries = 0; tries < 3; tries += 1) await signInClient.attempt(person.account, 'Wrong.Word4');
  await signInClient.attempt('not-there-at-all', 'Wrong.Word4');
  await signInClient.nobody.send(loginCalls.msg, { to: person.email, code: '000000', ticket: 'x' });
  await signInClient.nobody.send(signInCalls.validateCode, { email: person.email, code: '000000', ticket: 'x' });
  await signInClient.nobody.send(loginCalls.sendCode, { to: person.email, purpose: 'login', proof: 'x' });
  await clientOf(app.http, 'made-up', 0, 'centre', 0).send(userCalls.info);
  const weak = await app.person('orgMember', await app.dept('Weak'), 'manager');
  await weak.send(systemSettingCalls.findByCriteria);
  const rows = (await logged()).map(({ target, ip, call, result, count, actorName }) => [
    call,
    result,
    target,
    count,
    actorName !== '',
    ip,
  ]);
  const here = '127.0.0.1';
  expect(rows).toEqual(
    expect.arrayContaining([
      ['/sys/login/account', 'LOGIN_FAILED', person.account, 3, false, here],
      ['/sys/login/account', 'LOGIN_FAILED', 'not-there-at-all', 1, false, here],
      [loginCalls.msg.path, 'CODE_REFUSED', person.email, 1, false, here],
      [signInCalls.validateCode.path, 'CODE_REFUSED', person.email, 1, false, here],
      [userCalls.info.path, 'NO_SESSION', null, 1, false, here],
      [systemSettingCalls.findByCriteria.path, 'FORBIDDEN', null, 1, true, here],
    ]),
  );
  // Nothing of what was typed but the name.
  const stored = await app.context.unscoped((db) => db.selectFrom('audit_entry').selectAll().where('request_id', '=', 'refused').execute());
  expect(JSON.stringify(stored)).not.toMatch(/Wrong\.Word4|000000|made-up/);
});

test('an invitation or ticket that is none leaves a row too, also where it is only looked at, with the browser and its address', async () => {
  const headers = { 'user-agent': 'Tried/1.0' };
  await signInClient.nobody.send(invitedCalls.user, { code: 'no-such-invitation-1' }, { headers });
  await signInClient.nobody.send(invitedCalls.dept, { code: 'no-such-invitation-2' }, { headers });
  await signInClient.nobody.send(leavingCalls.restoreAuth, { ticket: 'made-up' }, { headers });
  await signInClient.nobody.send(ssoCalls.finish, { ticket: 'made-up' }, { headers });
  const rows = await logged();
  expect(rows.map(({ call, result, device, ip }) => [call, result, device, ip])).toEqual(
    expect.arrayContaining([
      [invitedCalls.user.path, 'INVITE_OVER', 'Tried/1.0', '127.0.0.1'],
      [invitedCalls.dept.path, 'INVITE_OVER', 'Tried/1.0', '127.0.0.1'],
      [leavingCalls.restoreAuth.path, 'TICKET_OVER', 'Tried/1.0', '127.0.0.1'],
      [ssoCalls.finish.path, 'SSO_REFUSED', 'Tried/1.0', '127.0.0.1'],
    ]),
  );
  const stored = await app.context.unscoped((db) => db.selectFrom('audit_entry').selectAll().where('request_id', '=', 'refused').execute());
  expect(JSON.stringify(stored)).not.toMatch(/no-such-invitation|made-up/);
  const { content } = await admin.call(logCalls.page, { criteria: { ip: '127.0.0', result: 'refused' } });
  expect(content.length).toBeGreaterThanOrEqual(4);
  expect((await admin.call(logCalls.page, { criteria: { ip: '198.51.100.1' } })).content).toEqual([]);
});

test('a flood of names is bounded, and counted all the same', async () => {
  for (let at = 0; at < 3000; at += 1)
    app.context.refusals.note({ account: `name-${at}`, ip: '192.0.2.1', call: '/sys/login/account', result: 'LOGIN_FAILED' });
  await app.context.refusals.flush();
  const found = await app.context.unscoped((db) =>
    sql<{ rows: number; n: number }>`select count(*)::int as rows, sum(n)::int as n from audit_refusal`.execute(db),
  );
  expect(found.rows[0]?.n).toBe(3000);
  expect(found.rows[0]?.rows).toBeLessThanOrEqual(1001);
});

test('what the console asks for in its ordinary way is no refusal, and a refused change stands once', async () => {
  await app.context.pools.owner.query(`update auth_session set proved_at = null where user_id = ${admin.userId}`);
  const manager = await app.person('platformAdmin', app.root, 'manager');
  await manager.send(systemSettingCalls.singleSignOn, { enabled: true });
  await manager.send(systemSettingCalls.registration, { oneDeptId: 999_999 });
  expect(await logged()).toEqual([]);
});

test('sessions that came out of one sign-in begin, and end, together', async () => {
  const person = await signInClient.person({ dept: app.root, roles: ['platformAdmin'] });
  const first = await signInClient.signIn(person.account, PASSWORD);
  await app.context.unscoped((db) =>
    sql`update auth_session set created_at = now() - interval '6 days', expires_at = now() + interval '1 day' where user_id = ${person.id}`.execute(
      db,
    ),
  );
  const cross = async (from: Client, platform: 'centre' | 'manager') =>
    clientOf(app.http, (await from.call(loginCalls.cross, { platform })).token, person.id, platform, platform === 'centre' ? 0 : 1);
  const again = await cross(await cross(first, 'manager'), 'centre');
  const ages = await app.context.unscoped((db) =>
    sql<{ n: number }>`select count(distinct (created_at, expires_at))::int as n from auth_session where user_id = ${person.id}`.execute(
      db,
    ),
  );
  expect(ages.rows[0]?.n).toBe(1);
  const other = await signInClient.signIn(person.account, PASSWORD);
  await first.call(signInCalls.logout);
  expect((await again.send(userCalls.info)).code).toBe(401);
  expect((await other.send(userCalls.info)).code).toBe(200);
});

test('a name that is cut in the middle of a character keeps nobody else’s failures out of the log', async () => {
  const person = await signInClient.person();
  for (let tries = 0; tries < 3; tries += 1) await signInClient.attempt(person.account, 'Wrong.Word4');
  // It grows by one sign when it is written small, so that its last character is halved.
  await signInClient.attempt(`İ${'a'.repeat(125)}😀`, 'Wrong.Word4');
  expect((await logged()).map((one) => [one.target, one.count])).toEqual(
    expect.arrayContaining([
      [person.account, 3],
      [expect.stringMatching(/^i̇a+$/), 1],
    ]),
  );
});

test('a row that the database doesn’t take loses no other of its second', async () => {
  const { refusals } = app.context;
  const of = { ip: '127.0.0.1', call: '/x', result: 'FORBIDDEN' };
  refusals.note({ ...of, account: 'kept-one' });
  refusals.note({ ...of, account: 'lost-one', call: '/x\0' });
  refusals.note({ ...of, account: 'kept-two' });
  const targets = (await logged()).map((one) => one.target);
  expect(targets).toEqual(expect.arrayContaining(['kept-one', 'kept-two']));
  expect(targets).not.toContain('lost-one');
});

test('a refused call leaves its row also with a text that is cut in the middle of a character', async () => {
  const weak = await app.person('platformAdmin', { id: 2, path: '1.2.' }, 'manager');
  const { cert } = await localCertificate(app.dataDir, '127.0.0.1');
  const ca = `${'x'.repeat(1999)}😀\n${cert}`;
  const answer = await weak.send(systemSettingCalls.syslog, {
    enabled: false,
    host: '',
    port: 6514,
    security: 'tls',
    ca,
    facility: 13,
    what: 'all',
    seen: new Date(0).toISOString(),
  });
  expect(answer.body?.fault).toBe('SETTING_ADMINISTRATOR');
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      result: string;
      input: { ca: string };
    }>`select result, input from audit_entry where call = '/sysSetting/syslog/save' order by id desc limit 1`.execute(db),
  );
  expect(rows).toMatchObject([{ result: 'SETTING_ADMINISTRATOR', input: { ca: `${'x'.repeat(1999)}…` } }]);
});

test('whoever has them written waits for those that are on their way', async () => {
  const { refusals } = app.context;
  refusals.note({ ip: '127.0.0.1', call: '/x', result: 'FORBIDDEN', account: 'on-its-way' });
  const holder = await app.context.pools.owner.connect();
  await holder.query('begin; lock table audit_refusal in exclusive mode');
  try {
    // By its own clock.
    await expect.poll(() => app.context.unscoped(lockWaits)).toBe(1);
    let isWritten = false;
    const written = refusals.flush().then(() => {
      isWritten = true;
    });
    await new Promise(setImmediate);
    expect(isWritten).toBe(false);
    await holder.query('commit');
    await written;
  } finally {
    holder.release();
  }
  expect((await logged()).map((one) => one.target)).toContain('on-its-way');
});
