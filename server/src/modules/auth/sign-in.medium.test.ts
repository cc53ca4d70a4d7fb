import { userCalls } from '@mooring/contract/account/calls';
import { mfaCalls } from '@mooring/contract/account/own-calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newestMail } from '../../../test/mails.ts';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { clientOf, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let signInClient: SignInClient;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
});

const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const ask = async (email: string, purpose: 'login' | 'reset') =>
  signInClient.nobody.send(loginCalls.sendCode, { to: email, purpose, proof: await signInClient.proof('code') });
type Asked = Awaited<ReturnType<typeof ask>>;
const ticketOf = ({ body }: Asked) => String((body as unknown as { ticket?: string } | null)?.ticket);
/** The ticket is nothing but random. */
const withoutTicket = (answer: Asked) => ({
  ...answer,
  body: { ...(answer.body as object), ticket: /^[0-9a-f]{32}$/.test(ticketOf(answer)) },
});

test('a mailed code signs in once, in any case of the address; it is no proof for step-up', async () => {
  const person = await signInClient.person();
  const ticket = ticketOf(await ask(person.email.toUpperCase(), 'login'));
  const { code } = (await signInClient.mailTo(person.email)) ?? { code: '' };
  const { token } = await signInClient.nobody.call(loginCalls.msg, { to: person.email, code, ticket });
  const client = clientOf(app.http, token, 0, 'centre', 0);
  expect((await client.call(userCalls.info)).account).toBe(person.account);
  expect(await faultOf(client.send(mfaCalls.bindInfo))).toBe('STEP_UP_REQUIRED');
  expect(await faultOf(signInClient.nobody.send(loginCalls.msg, { to: person.email, code, ticket }))).toBe('CODE_REFUSED');
});

const bindMobile = (id: number, mobile: string | null) =>
  app.context.unscoped((db) => db.updateTable('account_user').set({ mobile }).where('id', '=', id).execute());

test('a code by text message signs in once, however the number is written; the number of somebody is answered like one of nobody', async () => {
  const person = await signInClient.person();
  await signInClient.signIn(person.account, PASSWORD);
  await bindMobile(person.id, '+4917055501');
  const [known, unknown] = [await ask('+49 (170) 555-01', 'login'), await ask('+4917055502', 'login')];
  expect(withoutTicket(known)).toEqual(withoutTicket(unknown));
  await app.runJobs();
  expect(await newestMail(app, '+4917055502')).toBeUndefined();
  const sent = await newestMail(app, '+4917055501');
  expect(sent).toMatchObject({ channel: 'sms', template: 'loginCode' });
  const code = /\d{6}/.exec(sent?.text ?? '')?.[0] ?? '';
  const ticket = ticketOf(known);
  // It was sent to the number, and is worth nothing for the address of the same person.
  expect(await faultOf(signInClient.nobody.send(loginCalls.msg, { to: person.email, code, ticket }))).toBe('CODE_REFUSED');
  const { token } = await signInClient.nobody.call(loginCalls.msg, { to: '+49 170 555 01', code, ticket });
  const client = clientOf(app.http, token, 0, 'centre', 0);
  expect((await client.call(userCalls.info)).account).toBe(person.account);
  expect(await faultOf(client.send(mfaCalls.bindInfo))).toBe('STEP_UP_REQUIRED');
  const wrong = async (to: string) => {
    const { code: answered, body, message } = await signInClient.nobody.send(loginCalls.msg, { to, code: '000000', ticket });
    return [answered, body, message];
  };
  expect(await wrong('+4917055501')).toEqual(await wrong('+4917055502'));
});

test('a number that was taken away signs in nobody; no number resets a password; what is neither is said', async () => {
  const person = await signInClient.person();
  await signInClient.signIn(person.account, PASSWORD);
  await bindMobile(person.id, '+4917055503');
  const { code, ticket } = await signInClient.codeFor('+4917055503', 'login');
  expect(code).not.toBe('');
  await bindMobile(person.id, null);
  expect(await faultOf(signInClient.nobody.send(loginCalls.msg, { to: '+4917055503', code, ticket }))).toBe('CODE_REFUSED');
  const proof = await signInClient.proof('code');
  const refused = async (to: string, purpose: 'login' | 'reset') =>
    (await signInClient.nobody.send(loginCalls.sendCode, { to, purpose, proof } as never)).body;
  expect(await refused('+4917055503', 'reset')).toMatchObject({ fault: 'BAD_INPUT', fields: { to: { key: 'invalid.email' } } });
  for (const to of [
    '0170 55503',
    '+0170555031',
    '+49',
    `+${'1'.repeat(16)}`,
    'nobody',
    '+49a7055503',
    '+8811234567',
    '+9791234567',
    '٠١٢٣٤٥٦٧',
    '+١٢٣٤٥٦٧٨',
  ])
    expect(await refused(to, 'login'), to).toMatchObject({ fault: 'BAD_INPUT', fields: { to: { key: 'invalid.emailOrMobile' } } });
});

test('a password is reset by a mailed code: all sessions end, the code and its ticket work once, the owner is told', async () => {
  const person = await signInClient.person();
  const inside = await signInClient.signIn(person.account, PASSWORD);
  const { code, ticket: asked } = await signInClient.codeFor(person.email, 'reset');
  expect(await faultOf(signInClient.nobody.send(loginCalls.msg, { to: person.email, code, ticket: asked }))).toBe('CODE_REFUSED');
  const { ticket, account } = await signInClient.nobody.call(signInCalls.validateCode, { email: person.email, code, ticket: asked });
  expect(account).toBe(person.account);
  const again = signInClient.nobody.send(signInCalls.validateCode, { email: person.email, code, ticket: asked });
  expect(await faultOf(again)).toBe('CODE_REFUSED');
  const reset = async (to: string) =>
    signInClient.nobody.send(signInCalls.resetPassword, { ticket, newPassword: await signInClient.seal('newPassword', to) });
  expect(await faultOf(reset('short'))).toBe('PASSWORD_WEAK');
  expect(await faultOf(reset(person.email))).toBe('PASSWORD_IS_EMAIL');
  // Said to whoever proved the mailbox, and only then.
  expect(await faultOf(reset(PASSWORD))).toBe('PASSWORD_SAME');
  expect((await reset('Better.Word9')).code).toBe(200);
  expect(await faultOf(reset(PASSWORD))).toBe('TICKET_OVER');
  expect(await faultOf(reset('Better.Word7'))).toBe('TICKET_OVER');
  expect((await inside.send(userCalls.info)).code).toBe(401);
  expect(await faultOf(signInClient.attempt(person.account, PASSWORD))).toBe('LOGIN_FAILED');
  await signInClient.signIn(person.account, 'Better.Word9');
  expect(await signInClient.mailTo(person.email)).toMatchObject({ template: 'passwordChanged' });
});

test('a reset opens an account that was locked by wrong tries, but none that a person disabled', async () => {
  const [locked, disabled] = [await signInClient.person(), await signInClient.person()];
  await app.context.unscoped((db) =>
    sql`update account_user set state = '1', locked_until = now() + interval '1 hour', lock_reason = 'tries' where id = ${locked.id}`.execute(
      db,
    ),
  );
  await app.context.unscoped((db) => sql`update account_user set state = '1' where id = ${disabled.id}`.execute(db));
  for (const person of [locked, disabled]) {
    const asked = await signInClient.codeFor(person.email, 'reset');
    const { ticket } = await signInClient.nobody.call(signInCalls.validateCode, { email: person.email, ...asked });
    await signInClient.nobody.call(signInCalls.resetPassword, {
      ticket,
      newPassword: await signInClient.seal('newPassword', 'Better.Word9'),
    });
  }
  await signInClient.signIn(locked.account, 'Better.Word9');
  expect(await faultOf(signInClient.attempt(disabled.account, 'Better.Word9'))).toBe('LOGIN_FAILED');
});

test('an unknown address is answered in the same way, and nothing is sent', async () => {
  const person = await signInClient.person();
  for (const purpose of ['login', 'reset'] as const) {
    const [known, unknown] = [await ask(person.email, purpose), await ask(`ghost-${purpose}@example.com`, purpose)];
    expect(withoutTicket(known)).toEqual(withoutTicket(unknown));
    expect(await signInClient.mailTo(`ghost-${purpose}@example.com`)).toBeUndefined();
    const tried = async (email: string) => {
      const wrong = { code: '000000', ticket: ticketOf(known) };
      const answer =
        purpose === 'login'
          ? await signInClient.nobody.send(loginCalls.msg, { to: email, ...wrong })
          : await signInClient.nobody.send(signInCalls.validateCode, { email, ...wrong });
      expect(answer.body?.fault).toBe('CODE_REFUSED');
      return [answer.code, answer.status, answer.body, answer.message];
    };
    expect(await tried(person.email)).toEqual(await tried(`ghost-${purpose}@example.com`));
    await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
  }
});

test('wrong mailed codes lock nobody out', async () => {
  const person = await signInClient.person();
  for (let tries = 0; tries < 12; tries += 1)
    await signInClient.nobody.send(loginCalls.msg, { to: person.email, code: '000000', ticket: 'x' });
  await signInClient.signIn(person.account, PASSWORD, await signInClient.signInProof(person.account));
});

test('an unknown account takes as long as a known one', async () => {
  const person = await signInClient.person();
  const took = async (account: string) => {
    const password = await signInClient.seal('login', 'Wrong.Word4');
    const started = performance.now();
    await signInClient.nobody.send(loginCalls.account, { account, password });
    await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
    return performance.now() - started;
  };
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round += 1) {
    known.push(await took(person.account));
    unknown.push(await took('not-there-at-all'));
  }
  // The least of each: whatever else the machine does only adds to it.
  const ratio = Math.min(...known) / Math.min(...unknown);
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.6);
});

test('codes are not sent without bounds, to nobody and from nowhere', async () => {
  const person = await signInClient.person();
  expect((await ask(person.email, 'login')).code).toBe(200);
  const { status, body } = await ask(person.email, 'login');
  expect([status, body?.fault]).toEqual([429, 'TOO_MANY']);
  for (let sent = 0; sent < 4; sent += 1) {
    await app.context.unscoped((db) => sql`delete from auth_attempt where key like 'sent:%'`.execute(db));
    await ask(person.email, 'login');
  }
  await app.context.unscoped((db) => sql`delete from auth_attempt where key like 'sent:%'`.execute(db));
  expect((await ask(person.email, 'login')).status).toBe(429);
  let last = await ask('first@example.com', 'login');
  for (let more = 0; more < 40 && last.code === 200; more += 1) last = await ask(`spray${more}@example.com`, 'login');
  expect(last.status).toBe(429);
});

test('a code has more digits the more of them were never entered, for known and unknown people, and few again after the right one', async () => {
  const person = await signInClient.person();
  const lengthOf = async (purpose: 'login' | 'reset') => {
    await app.context.unscoped((db) => sql`delete from auth_attempt where key like 'sent:%' or key like 'codes-%'`.execute(db));
    await ask(person.email, purpose);
    return (await signInClient.mailTo(person.email))?.code ?? '';
  };
  const lengths: number[] = [];
  for (let sent = 0; sent < 11; sent += 1) lengths.push((await lengthOf('login')).length);
  expect(lengths).toEqual([6, 6, 6, 8, 8, 8, 8, 8, 8, 8, 10]);
  expect((await lengthOf('reset')).length).toBe(6);
  await app.context.unscoped((db) => sql`delete from auth_attempt where key like 'sent:%' or key like 'codes-%'`.execute(db));
  await signInClient.nobody.call(loginCalls.msg, { to: person.email, ...(await signInClient.codeFor(person.email, 'login')) });
  expect((await lengthOf('login')).length).toBe(6);
});

test('a code is tried five times', async () => {
  const person = await signInClient.person();
  const { code, ticket } = await signInClient.codeFor(person.email, 'reset');
  for (let tries = 0; tries < 5; tries += 1)
    expect(
      await faultOf(
        signInClient.nobody.send(signInCalls.validateCode, { email: person.email, code: code === '111111' ? '222222' : '111111', ticket }),
      ),
    ).toBe('CODE_REFUSED');
  expect(await faultOf(signInClient.nobody.send(signInCalls.validateCode, { email: person.email, code, ticket }))).toBe('CODE_REFUSED');
});

test('one password tried on many accounts makes its address wait', async () => {
  await app.context.unscoped((db) =>
    sql`insert into auth_policy (line, kind, value) select line, 'login', '{"maxTries":3,"captchaAfter":100}'::jsonb from unnest(array[1, 2]) line`.execute(
      db,
    ),
  );
  let last = await signInClient.attempt('spray0', 'Summer.2026');
  for (let more = 1; more < 25 && last.code === 400; more += 1) last = await signInClient.attempt(`spray${more}`, 'Summer.2026');
  expect([last.status, last.body?.fault]).toEqual([429, 'TOO_MANY']);
  await app.context.unscoped((db) => sql`delete from auth_policy`.execute(db));
});

test('a token that somebody brings along is never taken up by a sign-in, and ends with its logout', async () => {
  const person = await signInClient.person();
  const brought = 'A'.repeat(43);
  const answer = await signInClient.attempt(person.account, PASSWORD, {}, { authorization: brought });
  const { token } = answer.body as unknown as { token: string };
  expect(token).not.toBe(brought);
  expect((await clientOf(app.http, brought, 0, 'centre', 0).send(userCalls.info)).code).toBe(401);
  const client = clientOf(app.http, token, 0, 'centre', 0);
  await client.call(signInCalls.logout);
  expect((await client.send(userCalls.info)).code).toBe(401);
});

test('a sign-in takes nothing but what it asks for', async () => {
  const person = await signInClient.person();
  for (const more of [{ userId: 1 }, { roleIds: [1] }, { mfa: null }, { provedAt: '2099-01-01T00:00:00Z' }])
    expect((await signInClient.attempt(person.account, PASSWORD, more)).code).toBe(400);
});

test('two hundred sign-ins at once: none unexpected, whoever has to wait is told for how long, nobody is locked', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => signInClient.person()));
  const sealed = await Promise.all(Array.from({ length: 200 }, () => signInClient.seal('login', PASSWORD)));
  const before = process.memoryUsage().rss;
  const answers = await Promise.all(
    sealed.map((password, at) => signInClient.nobody.send(loginCalls.account, { account: people[at % 4]?.account, password })),
  );
  const codes = answers.map((answer) => answer.code);
  // Those under way count as tries until they turn out right: who comes meanwhile waits, or is asked for work.
  const isAskedForWork = (one: (typeof answers)[number]) => one.body?.fault === 'CAPTCHA_REQUIRED';
  expect(answers.filter((one) => one.code !== 200 && one.code !== 429 && !isAskedForWork(one))).toEqual([]);
  expect(codes.filter((code) => code === 200).length).toBeGreaterThan(20);
  for (const answer of answers.filter((one) => one.code === 429)) expect((answer.body as { wait?: number }).wait).toBeGreaterThan(0);
  // Two hashes of 64 MiB at a time, whatever waits behind them.
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  for (const person of people) await signInClient.signIn(person.account, PASSWORD);
});
