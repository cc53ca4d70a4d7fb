import { spawnSync } from 'node:child_process';
import { userCalls } from '@mooring/contract/account/calls';
import { contactCalls, leavingCalls, mfaCalls, passkeyCalls, profileCalls, sessionCalls } from '@mooring/contract/account/own-calls';
import { logCalls } from '@mooring/contract/audit-log/calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newestMail } from '../../../test/mails.ts';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { codeOfStep, stepAt } from './totp.ts';

let app: TestApp;
let signInClient: SignInClient;
let me: { id: number; account: string; email: string };
let client: Client;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
  await app.context.unscoped((db) => sql`delete from auth_policy`.execute(db));
  me = await signInClient.person();
  client = await signInClient.signIn(me.account, PASSWORD);
});

const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const bytesOf = (base32: string) => {
  const bits = [...base32].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};
const codeNow = (secret: string, later = 0) => codeOfStep(bytesOf(secret), stepAt(app.clock.now) + later);
async function bound(): Promise<{ secret: string; recovery: string[] }> {
  const { secret } = await client.call(mfaCalls.bindInfo);
  const { recovery } = await client.call(mfaCalls.bind, { code: codeNow(secret, -1) });
  return { secret, recovery };
}
const stale = () =>
  app.context.unscoped((db) => sql`update auth_session set proved_at = now() - interval '11 minutes' where user_id = ${me.id}`.execute(db));
const second = (ticket: string, method: string, code: string) =>
  signInClient.nobody.send(signInCalls.validateLogin, { ticket, method, code });
const sessionOf = (answer: { body: unknown }) => clientOf(app.http, (answer.body as { token: string }).token, 0, 'centre', 0);

test('name, country, language and time zone are one’s own to change; nothing else is', async () => {
  await client.call(profileCalls.editName, { name: 'Ann Other' });
  await client.call(profileCalls.country, { country: 'DE' });
  await client.call(userCalls.editAccount, { language: 'zh-CN', timeZone: 'Asia/Shanghai' });
  expect(await client.call(userCalls.info)).toMatchObject({
    userName: 'Ann Other',
    country: 'DE',
    language: 'zh-CN',
    timeZone: 'Asia/Shanghai',
  });
  expect(await faultOf(client.send(profileCalls.country, { country: 'ZZ' }))).toBe('COUNTRY_UNKNOWN');
  expect((await client.send(userCalls.editAccount, { timeZone: 'Mars/Base' })).code).toBe(400);
  for (const more of [{ userCategory: '1' }, { deptId: 1 }, { state: '0' }, { roleIds: [1] }, { id: 1 }, { email: 'x@example.com' }])
    expect((await client.send(profileCalls.editName, { name: 'x', ...more })).code).toBe(400);
});

test('a picture is drawn anew and small; what is none is refused', async () => {
  const png = await sharp({ create: { width: 900, height: 400, channels: 3, background: '#0a6a74' } })
    .png()
    .toBuffer();
  await client.call(profileCalls.image, { image: png.toString('base64') });
  const { picture } = await client.call(userCalls.info);
  expect(picture).toMatch(/^data:image\/webp;base64,/);
  const drawn = await sharp(Buffer.from(picture?.split(',')[1] ?? '', 'base64')).metadata();
  expect([drawn.width, drawn.height]).toEqual([192, 192]);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64');
  for (const image of [svg, 'nonsense', Buffer.from('GIF89a').toString('base64')])
    expect(await faultOf(client.send(profileCalls.image, { image }))).toBe('FILE_NOT_GENUINE');
  await client.call(profileCalls.image, { image: null });
  expect((await client.call(userCalls.info)).picture).toBeNull();
});

test('one person has one picture drawn at a time, and none that is larger than any screen', async () => {
  const sized = async (side: number) =>
    (
      await sharp({ create: { width: side, height: side, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } })
        .png()
        .toBuffer()
    ).toString('base64');
  expect(await faultOf(client.send(profileCalls.image, { image: await sized(2001) }))).toBe('PICTURE_LARGE');
  const image = await sized(2000);
  const faults = await Promise.all(Array.from({ length: 8 }, () => faultOf(client.send(profileCalls.image, { image }))));
  expect(faults).toContain(undefined);
  expect(faults).toContain('TOO_MANY');
  expect(await faultOf(client.send(profileCalls.image, { image }))).toBeUndefined();
});

test('an address counts once its code came back; the one before is told; another’s is refused', async () => {
  const to = `new-${me.account}@example.com`;
  await client.call(contactCalls.sendCode, { kind: 'email', to });
  const { code } = (await signInClient.mailTo(to)) ?? { code: '' };
  expect(await faultOf(client.send(contactCalls.bindEmail, { to: 'other@example.com', code }))).toBe('CODE_REFUSED');
  expect(await faultOf(client.send(contactCalls.bindEmail, { to, code: code === '000000' ? '000001' : '000000' }))).toBe('CODE_REFUSED');
  await client.call(contactCalls.bindEmail, { to, code });
  expect((await client.call(userCalls.info)).email).toBe(to);
  expect(await signInClient.mailTo(me.email)).toMatchObject({ template: 'contactChanged' });
  expect(await faultOf(client.send(contactCalls.bindEmail, { to, code }))).toBe('CODE_REFUSED');
  const other = await signInClient.person();
  // Whose it is, is said to whoever has the mailbox, and to nobody else.
  await client.call(contactCalls.sendCode, { kind: 'email', to: other.email.toUpperCase() });
  await app.runJobs();
  const theirs = /\d{6}/.exec((await newestMail(app, other.email.toUpperCase()))?.text ?? '')?.[0] ?? '';
  expect(await faultOf(client.send(contactCalls.bindEmail, { to: other.email.toUpperCase(), code: theirs }))).toBe('CONTACT_TAKEN');
  const mobile = '+4917012345678';
  await client.call(contactCalls.sendCode, { kind: 'mobile', to: mobile });
  await app.runJobs();
  const sms = await newestMail(app, mobile);
  expect([sms?.channel, sms?.state]).toEqual(['sms', 'kept']);
  await client.call(contactCalls.bindMobile, { to: mobile, code: /\d{6}/.exec(sms?.text ?? '')?.[0] ?? '' });
  expect((await client.call(userCalls.info)).mobile).toBe(mobile);
});

test('a code for one person’s address is none for another’s', async () => {
  const other = await signInClient.person();
  const theirs = await signInClient.signIn(other.account, PASSWORD);
  await client.call(contactCalls.sendCode, { kind: 'email', to: 'shared@example.com' });
  const { code } = (await signInClient.mailTo('shared@example.com')) ?? { code: '' };
  expect(await faultOf(theirs.send(contactCalls.bindEmail, { to: 'shared@example.com', code }))).toBe('CODE_REFUSED');
});

test('a second factor is bound by a code of it, kept sealed, and asked for from then on', async () => {
  const { secret, uri, qr } = await client.call(mfaCalls.bindInfo);
  expect(uri).toContain(`secret=${secret}`);
  expect(qr).toMatch(/^data:image\/png;base64,/);
  expect(await faultOf(client.send(mfaCalls.bind, { code: codeNow(secret, 5) }))).toBe('CODE_REFUSED');
  const { recovery } = await client.call(mfaCalls.bind, { code: codeNow(secret) });
  expect(new Set(recovery).size).toBe(10);
  const rows = await app.context.unscoped(async (db) =>
    JSON.stringify([
      await db.selectFrom('account_totp').selectAll().execute(),
      await db.selectFrom('account_recovery_code').selectAll().execute(),
    ]),
  );
  expect(rows).not.toContain(secret);
  expect(rows).not.toContain(recovery[0]);
  expect(await client.call(mfaCalls.status)).toMatchObject({ on: true, totp: true, recoveryLeft: 10 });
  const first = await signInClient.firstStep(me.account, PASSWORD);
  expect([first.token, first.mfa?.methods]).toEqual(['', ['totp', 'recovery']]);
  const answer = await second(first.mfa?.ticket ?? '', 'totp', codeNow(secret, 1));
  expect((await sessionOf(answer).call(userCalls.info)).mfaBindStatus).toBe('1');
});

test('in the log a right password with the second step to come signs nobody in', async () => {
  const auditor = await app.person('platformAdmin', app.root);
  const newest = async () => (await auditor.call(logCalls.page, {})).content[0];
  await signInClient.signIn(me.account, PASSWORD);
  expect(await newest()).toMatchObject({ call: '/sys/login/account', outcome: 'done', actorName: me.account });
  await bound();
  await signInClient.firstStep(me.account, PASSWORD);
  expect(await newest()).toMatchObject({ call: '/sys/login/account', outcome: 'secondStep', actorName: '', target: me.account });
});

const oathtool = spawnSync('oathtool', ['--version']).status === 0;
test.skipIf(!oathtool)('a code of oathtool signs in (skipped where that is not installed)', async () => {
  const { secret } = await bound();
  const now = `${app.clock.now.toISOString().replace('T', ' ').slice(0, 19)} UTC`;
  const code = spawnSync('oathtool', ['--totp', '--base32', '--now', now, secret], { encoding: 'utf8' }).stdout.trim();
  const { mfa } = await signInClient.firstStep(me.account, PASSWORD);
  expect((await second(mfa?.ticket ?? '', 'totp', code)).code).toBe(200);
});

test('a code works once, and so does the ticket; without the first step there is no second', async () => {
  const { secret } = await bound();
  const [one, two] = [await signInClient.firstStep(me.account, PASSWORD), await signInClient.firstStep(me.account, PASSWORD)];
  const code = codeNow(secret);
  expect((await second(one.mfa?.ticket ?? '', 'totp', code)).code).toBe(200);
  expect((await second(two.mfa?.ticket ?? '', 'totp', code)).body?.fault).toBe('CODE_REFUSED');
  expect((await second(one.mfa?.ticket ?? '', 'totp', codeNow(secret, 1))).body?.fault).toBe('TICKET_OVER');
  expect((await second('made-up', 'totp', codeNow(secret, 1))).body?.fault).toBe('TICKET_OVER');
  const both = await Promise.all([
    second(two.mfa?.ticket ?? '', 'totp', codeNow(secret, 1)),
    second(two.mfa?.ticket ?? '', 'totp', codeNow(secret, 1)),
  ]);
  expect(both.filter((answer) => answer.code === 200)).toHaveLength(1);
});

test('five wrong codes end the ticket, and they count against the account', async () => {
  await bound();
  const { mfa } = await signInClient.firstStep(me.account, PASSWORD);
  for (let tries = 0; tries < 5; tries += 1) expect((await second(mfa?.ticket ?? '', 'totp', '000000')).body?.fault).toBe('CODE_REFUSED');
  expect((await second(mfa?.ticket ?? '', 'totp', '000000')).body?.fault).toBe('TICKET_OVER');
  expect((await signInClient.attempt(me.account, PASSWORD)).body?.fault).toBe('CAPTCHA_REQUIRED');
});

test('a recovery code signs in once, however it is written', async () => {
  const { recovery } = await bound();
  const code = recovery[3] ?? '';
  const [one, two] = [await signInClient.firstStep(me.account, PASSWORD), await signInClient.firstStep(me.account, PASSWORD)];
  expect((await second(one.mfa?.ticket ?? '', 'recovery', code.toLowerCase().replaceAll('-', ' '))).code).toBe(200);
  expect((await second(two.mfa?.ticket ?? '', 'recovery', code)).body?.fault).toBe('CODE_REFUSED');
  expect((await client.call(mfaCalls.status)).recoveryLeft).toBe(9);
  const { recovery: fresh } = await client.call(mfaCalls.newRecovery);
  expect((await second(two.mfa?.ticket ?? '', 'recovery', recovery[4] ?? '')).body?.fault).toBe('CODE_REFUSED');
  expect((await second(two.mfa?.ticket ?? '', 'recovery', fresh[0] ?? '')).code).toBe(200);
});

test('what asks for a proof gets it by the password, or by the factor where there is one; never by the password then', async () => {
  await stale();
  expect(await faultOf(client.send(mfaCalls.bindInfo))).toBe('STEP_UP_REQUIRED');
  expect(await faultOf(client.send(mfaCalls.passwordVerify, { password: await signInClient.seal('verify', 'Wrong.Word4') }))).toBe(
    'PASSWORD_WRONG',
  );
  await client.call(mfaCalls.passwordVerify, { password: await signInClient.seal('verify', PASSWORD) });
  const { secret } = await bound();
  await stale();
  expect(await faultOf(client.send(mfaCalls.passwordVerify, { password: await signInClient.seal('verify', PASSWORD) }))).toBe('MFA_NEEDED');
  expect(await faultOf(client.send(mfaCalls.unbind))).toBe('STEP_UP_REQUIRED');
  await client.call(mfaCalls.verify, { method: 'totp', code: codeNow(secret) });
  await client.call(mfaCalls.unbind);
  expect(await client.call(mfaCalls.status)).toMatchObject({ on: false, totp: false, recoveryLeft: 0 });
});

test('proofs are not guessed without end', async () => {
  await stale();
  let last = await client.send(mfaCalls.passwordVerify, { password: await signInClient.seal('verify', 'Wrong.Word4') });
  for (let tries = 0; tries < 11 && last.code !== 429; tries += 1)
    last = await client.send(mfaCalls.passwordVerify, { password: await signInClient.seal('verify', 'Wrong.Word4') });
  expect(last.status).toBe(429);
});

test('a factor that the policy requires can’t be taken away or switched off', async () => {
  await bound();
  await app.context.unscoped((db) =>
    sql`insert into auth_policy (line, kind, value) select line, 'login', '{"mfa":"required"}'::jsonb from unnest(array[1, 2]) line`.execute(
      db,
    ),
  );
  expect(await faultOf(client.send(mfaCalls.unbind))).toBe('MFA_NEEDED');
  expect(await faultOf(client.send(mfaCalls.modifyStatus, { on: false }))).toBe('MFA_NEEDED');
  await app.context.unscoped((db) => sql`delete from auth_policy`.execute(db));
  await client.call(mfaCalls.modifyStatus, { on: false });
  expect((await signInClient.firstStep(me.account, PASSWORD)).token).not.toBe('');
  // Whoever switched it off before it was required is asked all the same.
  await app.context.unscoped((db) =>
    sql`insert into auth_policy (line, kind, value) select line, 'login', '{"mfa":"required"}'::jsonb from unnest(array[1, 2]) line`.execute(
      db,
    ),
  );
  expect((await signInClient.firstStep(me.account, PASSWORD)).mfa?.methods).toContain('totp');
});

test('sessions are listed and ended, one’s own only; the token is worth nothing then', async () => {
  const other = await signInClient.signIn(me.account, PASSWORD);
  const list = await client.call(sessionCalls.list);
  expect(list).toHaveLength(2);
  expect(list.filter((one) => one.own)).toHaveLength(1);
  const theirs = await signInClient.signIn((await signInClient.person()).account, PASSWORD);
  const [foreign] = await theirs.call(sessionCalls.list);
  expect((await client.send(sessionCalls.end, { id: foreign?.id })).code).toBe(404);
  await client.call(sessionCalls.end, { id: list.find((one) => !one.own)?.id ?? 0 });
  expect((await other.send(userCalls.info)).code).toBe(401);
  expect((await theirs.send(userCalls.info)).code).toBe(200);
});

test('an account that was given up is taken back within thirty days, and by nobody without its password', async () => {
  expect((await client.send(leavingCalls.cancel, { account: 'somebody else' })).code).toBe(400);
  await client.call(leavingCalls.cancel, { account: me.account });
  expect((await client.send(userCalls.info)).code).toBe(401);
  expect(await faultOf(signInClient.attempt(me.account, 'Wrong.Word4'))).toBe('LOGIN_FAILED');
  const { token, restore } = await signInClient.firstStep(me.account, PASSWORD);
  expect(token).toBe('');
  expect(await faultOf(signInClient.nobody.send(leavingCalls.restoreAuth, { ticket: 'made-up' }))).toBe('TICKET_OVER');
  await signInClient.nobody.call(leavingCalls.restoreAuth, { ticket: restore?.ticket ?? '' });
  await signInClient.signIn(me.account, PASSWORD);
  expect(await faultOf(signInClient.nobody.send(leavingCalls.restoreAuth, { ticket: restore?.ticket ?? '' }))).toBe('TICKET_OVER');
  await app.context.unscoped((db) =>
    sql`update account_user set state = 'cancelled', cancelled_at = now() - interval '31 days' where id = ${me.id}`.execute(db),
  );
  expect(await faultOf(signInClient.attempt(me.account, PASSWORD))).toBe('LOGIN_FAILED');
});

test('the last administrator can’t leave', async () => {
  await app.context.unscoped((db) =>
    sql`update account_user set state = '1' where id in (select user_id from access_user_role)`.execute(db),
  );
  const chief = await signInClient.person({ account: 'chief', dept: app.root, roles: ['platformAdmin'] });
  const there = await signInClient.signIn(chief.account, PASSWORD);
  expect(await faultOf(there.send(leavingCalls.cancel, { account: 'chief' }))).toBe('LAST_ADMINISTRATOR');
});

test('a question is used up by any answer, also a wrong one: of passkeys at every place', async () => {
  const left = async () =>
    (
      await app.context.unscoped((db) =>
        sql<{ n: number }>`select count(*)::int as n from auth_ticket where kind like 'passkey%'`.execute(db),
      )
    ).rows[0]?.n;
  await app.context.unscoped((db) =>
    sql`insert into account_passkey (user_id, credential_id, public_key, counter, name, transports) values (${me.id}, 'known', '\\x00', 0, 'Key', '{}')`.execute(
      db,
    ),
  );
  const wrong = JSON.stringify({ id: 'known', response: {} });
  await app.context.unscoped((db) => sql`delete from auth_ticket where kind like 'passkey%'`.execute(db));
  const { ticket } = await signInClient.nobody.call(loginCalls.passkeyOptions);
  expect(await left()).toBe(1);
  expect(await faultOf(signInClient.nobody.send(loginCalls.passkey, { ticket, credential: wrong }))).toBe('PASSKEY_REFUSED');
  expect(await left()).toBe(0);
  const bind = await client.call(passkeyCalls.options);
  expect(await faultOf(client.send(passkeyCalls.add, { ticket: bind.ticket, credential: wrong, name: 'Key' }))).toBe('PASSKEY_REFUSED');
  expect(await left()).toBe(0);
  const proof = await client.call(passkeyCalls.verifyOptions);
  expect(await faultOf(client.send(passkeyCalls.verify, { ticket: proof.ticket, credential: wrong }))).toBe('PASSKEY_REFUSED');
  expect(await left()).toBe(0);
});

test('a passkey answer that nobody asked for, or of nobody, is refused', async () => {
  const { ticket } = await signInClient.nobody.call(loginCalls.passkeyOptions);
  for (const credential of ['{}', 'nonsense', JSON.stringify({ id: 'unknown', response: {} }), '[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]'])
    expect(await faultOf(signInClient.nobody.send(loginCalls.passkey, { ticket, credential }))).toBe('PASSKEY_REFUSED');
  const { ticket: mine } = await client.call(passkeyCalls.options);
  expect(
    await faultOf(client.send(passkeyCalls.add, { ticket: mine, credential: JSON.stringify({ id: 'x', response: {} }), name: 'Key' })),
  ).toBe('PASSKEY_REFUSED');
});
