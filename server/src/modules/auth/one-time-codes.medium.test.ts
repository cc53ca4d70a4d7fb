import { userCalls } from '@mooring/contract/account/calls';
import { contactCalls } from '@mooring/contract/account/own-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { loginPresets } from '@mooring/contract/auth/policy';
import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newestMail } from '../../../test/mails.ts';
import { PASSWORD, type SignInClient, signInClientOf, solve } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { codesOffered, writePolicy } from './policies.ts';

/** What strangers, thieves and the next holder of a number try with codes that are sent (docs/attacks.md). */
let app: TestApp;
let signInClient: SignInClient;
beforeAll(async () => {
  app = await testApp({ env: { TRUST_PROXY: '1', DATABASE_POOL: '8' } });
  signInClient = signInClientOf(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
});

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const unscoped = <T>(work: Parameters<typeof app.context.unscoped<T>>[0]) => app.context.unscoped(work);
const noWait = () => unscoped((db) => sql`delete from auth_attempt where key like 'sent:%' or key like 'codes-from:%'`.execute(db));
const later = (minutes: number) =>
  unscoped((db) => sql`update auth_attempt set until = until - make_interval(mins => ${minutes})`.execute(db));
const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
async function bind(client: Client, mobile: string): Promise<string | undefined> {
  await noWait();
  await client.call(contactCalls.sendCode, { kind: 'mobile', to: mobile });
  await app.runJobs();
  const code = /\d{6,}/.exec((await newestMail(app, mobile))?.text ?? '')?.[0] ?? '';
  return faultOf(client.send(contactCalls.bindMobile, { to: mobile, code }));
}
async function signedInBy(to: string): Promise<string | undefined> {
  await noWait();
  const asked = await signInClient.codeFor(to, 'login');
  const { code, body } = await signInClient.nobody.send(loginCalls.msg, { to, ...asked, ...(asked.code === '' ? { code: '000000' } : {}) });
  if (code !== 200) return undefined;
  const { token } = body as unknown as { token: string };
  return (await clientOf(app.http, token, 0, 'centre', 0).call(userCalls.info)).account;
}
async function reset(email: string, tokens: 'keep' | 'revoke'): Promise<void> {
  await noWait();
  const asked = await signInClient.codeFor(email, 'reset');
  const { ticket } = await signInClient.nobody.call(signInCalls.validateCode, { email, ...asked });
  await signInClient.nobody.call(signInCalls.resetPassword, {
    ticket,
    tokens,
    newPassword: await signInClient.seal('newPassword', 'Other.Word9z'),
  });
}

test('what a stranger tries uses up nobody else’s code, also with an asking of their own', async () => {
  const { email } = await signInClient.person();
  for (const purpose of ['login', 'reset'] as const) {
    const mine = await signInClient.codeFor(email, purpose);
    await noWait();
    const theirs = await signInClient.codeFor(email, purpose);
    const tries = (ticket: string) =>
      purpose === 'login'
        ? signInClient.nobody.send(loginCalls.msg, { to: email, code: '000000', ticket }, from('203.0.113.9'))
        : signInClient.nobody.send(signInCalls.validateCode, { email, code: '000000', ticket }, from('203.0.113.9'));
    for (const ticket of ['', 'x', theirs.ticket]) for (let n = 0; n < 6; n += 1) await tries(ticket);
    const owner =
      purpose === 'login'
        ? signInClient.nobody.send(loginCalls.msg, { to: email, ...mine })
        : signInClient.nobody.send(signInCalls.validateCode, { email, ...mine });
    expect([purpose, (await owner).code]).toEqual([purpose, 200]);
  }
});

test('what strangers ask for keeps nobody from asking where they are at home, nor longer than an hour elsewhere', async () => {
  const { account, email } = await signInClient.person();
  const ask = async (purpose: 'login' | 'reset', ip: string) => {
    const { body } = await signInClient.nobody.send(signInCalls.captcha, { purpose: 'code' }, from(ip));
    const proof = await solve((body as unknown as { challenge: string }).challenge);
    return signInClient.nobody.send(loginCalls.sendCode, { to: email, purpose, proof }, from(ip));
  };
  await signInClient.signIn(account, PASSWORD);
  for (let n = 0; n < 8; n += 1) {
    await noWait();
    expect((await ask('login', `203.0.113.${n + 1}`)).status).toBe(n < 5 ? 200 : 429);
  }
  expect((await ask('login', '203.0.113.77')).status).toBe(429);
  await noWait();
  expect((await ask('login', '127.0.0.1')).code, 'at home').toBe(200);
  await noWait();
  expect((await ask('reset', '203.0.113.78')).code, 'for something else').toBe(200);
  // The hour began with the first of them, whatever was asked since.
  await later(61);
  expect((await ask('login', '203.0.113.79')).code, 'an hour after the first').toBe(200);
});

test('one person has codes sent to few numbers and addresses, from wherever they ask', async () => {
  const { account } = await signInClient.person();
  const client = await signInClient.signIn(account, PASSWORD);
  const answers: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    const to = n % 2 ? { kind: 'mobile', to: `+49170660${10 + n}` } : { kind: 'email', to: `spray${n}@example.com` };
    const { code, body } = await client.send(contactCalls.sendCode, to as never, from(`198.51.100.${n}`));
    answers.push(code === 200 ? 'sent' : String(body?.fault));
  }
  expect(answers.filter((one) => one === 'sent')).toHaveLength(10);
  expect(new Set(answers.slice(10))).toEqual(new Set(['TOO_MANY']));
});

test('whose number or address it is, is said to nobody who hasn’t proved to have it', async () => {
  const [theirs, spy] = [await signInClient.person(), await signInClient.person()];
  expect(await bind(await signInClient.signIn(theirs.account, PASSWORD), '+4917099001')).toBeUndefined();
  const client = await signInClient.signIn(spy.account, PASSWORD);
  for (const to of [
    { kind: 'mobile', to: '+4917099001' },
    { kind: 'mobile', to: '+4917099002' },
    { kind: 'email', to: theirs.email },
  ]) {
    await noWait();
    expect((await client.send(contactCalls.sendCode, to as never)).code).toBe(200);
  }
  await app.runJobs();
  const code = /\d{6,}/.exec((await newestMail(app, theirs.email))?.text ?? '')?.[0] ?? '';
  expect(await faultOf(client.send(contactCalls.bindEmail, { to: theirs.email, code }))).toBe('CONTACT_TAKEN');
});

test('who has a number now takes it from whom it was of, who hears of it; what nobody uses for long opens nothing', async () => {
  const [before, after] = [await signInClient.person(), await signInClient.person()];
  expect(await bind(await signInClient.signIn(before.account, PASSWORD), '+4917088001')).toBeUndefined();
  expect(await signedInBy('+4917088001')).toBe(before.account);
  expect(await bind(await signInClient.signIn(after.account, PASSWORD), '+4917088001')).toBeUndefined();
  expect(await signedInBy('+4917088001')).toBe(after.account);
  expect(await newestMail(app, before.email)).toMatchObject({ template: 'contactTaken' });
  await unscoped((db) => sql`update auth_session set created_at = now() - interval '91 days' where user_id = ${after.id}`.execute(db));
  expect(await signedInBy('+4917088001')).toBeUndefined();
  expect(await signedInBy(after.email)).toBe(after.account);
});

test('a reset ends what a thief made for later: the number, and the tokens unless their owner keeps them', async () => {
  for (const tokens of ['revoke', 'keep'] as const) {
    const person = await signInClient.person();
    const number = tokens === 'revoke' ? '+4917088002' : '+4917088003';
    const thief = await signInClient.signIn(person.account, PASSWORD);
    await bind(thief, number);
    const { token } = await thief.call(tokenCalls.add, { name: 'quiet', scopes: ['device:device:page'], days: 30 });
    expect((await newestMail(app, person.email))?.template).toBe('wayAdded');
    await reset(person.email, tokens);
    expect((await thief.send(userCalls.info)).code).toBe(401);
    expect(await signedInBy(number)).toBeUndefined();
    const { code } = await clientOf(app.http, token, 0, 'centre', 0).send(deviceCalls.page, {});
    expect([tokens, code]).toEqual([tokens, tokens === 'keep' ? 200 : 401]);
  }
});

test('a number that many bind at once is of one of them, and nothing breaks', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => signInClient.person()));
  const clients = [];
  for (const { account } of people) clients.push(await signInClient.signIn(account, PASSWORD));
  for (let round = 0; round < 3; round += 1) {
    const to = `+49170770${10 + round}`;
    const codes: string[] = [];
    for (const client of clients) {
      await unscoped((db) => sql`delete from auth_attempt`.execute(db));
      await client.call(contactCalls.sendCode, { kind: 'mobile', to });
      await app.runJobs();
      codes.push(/\d{6,}/.exec((await newestMail(app, to))?.text ?? '')?.[0] ?? '');
    }
    const answers = await Promise.all(clients.map((client, at) => client.send(contactCalls.bindMobile, { to, code: codes[at] ?? '' })));
    expect(answers.map((one) => one.code)).toEqual([200, 200, 200, 200]);
    const { rows } = await unscoped((db) => sql`select id from account_user where mobile = ${to}`.execute(db));
    expect(rows).toHaveLength(1);
  }
});

test('a number that is taken away is told and logged', async () => {
  const person = await signInClient.person();
  const client = await signInClient.signIn(person.account, PASSWORD);
  await bind(client, '+4917088004');
  await client.call(contactCalls.unbindMobile);
  expect(await newestMail(app, person.email)).toMatchObject({ template: 'wayRemoved' });
  const { rows } = await unscoped((db) =>
    sql`select target, before, after from audit_entry where call = ${contactCalls.unbindMobile.path} order by id desc limit 1`.execute(db),
  );
  expect(rows).toEqual([{ target: person.account, before: { mobile: '+4917088004' }, after: { mobile: null } }]);
});

test.each(['off', 'email', 'emailAndText'] as const)(
  'a policy of codes "%s" holds for the person’s line, and the door offers what any line allows',
  async (codes) => {
    await unscoped((db) => writePolicy(db, 2, 'login', { ...loginPresets.spec, preset: 'custom', codes }));
    await unscoped((db) => writePolicy(db, 1, 'login', { ...loginPresets.spec, preset: 'custom', codes }));
    const person = await signInClient.person();
    const number = `+491708801${['off', 'email', 'emailAndText'].indexOf(codes)}`;
    await bind(await signInClient.signIn(person.account, PASSWORD), number);
    expect(await signedInBy(person.email)).toBe(codes === 'off' ? undefined : person.account);
    expect(await signedInBy(number)).toBe(codes === 'emailAndText' ? person.account : undefined);
    expect(await unscoped((db) => codesOffered(db, { email: true, sms: true }))).toEqual({
      email: codes !== 'off',
      sms: codes === 'emailAndText',
    });
    await unscoped((db) => sql`delete from auth_policy`.execute(db));
  },
);
