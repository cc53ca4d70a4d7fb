import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { registerCalls } from '@mooring/contract/auth/register-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRegistration, PASSWORD, type SignInClient, signInClientOf, solve } from '../../../test/sign-in-client.ts';
import { clientOf, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let signInClient: SignInClient;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  await openRegistration(app);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
});

const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const fail = async (account: string, times: number) => {
  for (let tries = 0; tries < times; tries += 1) {
    const answer = await signInClient.attempt(account, 'Wrong.Word4', await signInClient.signInProof(account));
    expect(answer.body?.fault).toBe('LOGIN_FAILED');
  }
};
const challengeFor = async (account: string) => (await signInClient.nobody.call(signInCalls.captchaCheck, { account })).challenge ?? '';
const levelOf = (challenge: string) => (JSON.parse(challenge) as { parameters: { data: { level: number } } }).parameters.data.level;
const failuresOf = async (account: string) =>
  (
    await app.context.unscoped((db) =>
      sql<{ failures: number }>`select failures from auth_attempt
    where key = ${`typed:${account}`}`.execute(db),
    )
  ).rows[0]?.failures;
const sendCode = (proof: string, email = 'somebody@example.com') =>
  signInClient.nobody.send(loginCalls.sendCode, { to: email, purpose: 'login', proof });
const sent = async () =>
  Number(
    (await app.context.unscoped((db) => sql<{ n: string }>`select count(*) n from auth_attempt where key like 'codes-%'`.execute(db)))
      .rows[0]?.n,
  );

test('the first failures ask for nothing; then a proof of work is asked for, and it signs in', async () => {
  const { account } = await signInClient.person();
  expect(await signInClient.nobody.call(signInCalls.captchaCheck, { account })).toEqual({ challenge: null });
  await fail(account, 3);
  expect(await faultOf(signInClient.attempt(account, PASSWORD))).toBe('CAPTCHA_REQUIRED');
  expect((await signInClient.attempt(account, PASSWORD, await signInClient.signInProof(account))).code).toBe(200);
});

test('the work grows with each failure, alike for an unknown account, and is over with a sign-in', async () => {
  const { account } = await signInClient.person();
  for (const who of [account, 'never-heard-of']) {
    await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
    await fail(who, 3);
    const levels = [levelOf(await challengeFor(who))];
    for (let more = 0; more < 3; more += 1) {
      await fail(who, 1);
      levels.push(levelOf(await challengeFor(who)));
    }
    expect(levels).toEqual([0, 1, 2, 3]);
  }
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
  await fail(account, 4);
  await signInClient.signIn(account, PASSWORD, await signInClient.signInProof(account));
  expect(await signInClient.nobody.call(signInCalls.captchaCheck, { account })).toEqual({ challenge: null });
});

test('an address that fails at many accounts works harder at each of them', async () => {
  for (let more = 0; more < 9; more += 1) await fail(`sprayed${more}`, 1);
  const first = levelOf(await challengeFor('fresh'));
  await app.context.unscoped((db) => sql`update auth_attempt set failures = failures + 36 where key like 'address:%'`.execute(db));
  expect(levelOf(await challengeFor('fresh'))).toBe(first + 2);
});

test('a proof works once', async () => {
  const { account } = await signInClient.person();
  await fail(account, 3);
  const shown = await signInClient.signInProof(account);
  expect(await faultOf(signInClient.attempt(account, 'Wrong.Word4', shown))).toBe('LOGIN_FAILED');
  const failures = await failuresOf(account);
  expect(await faultOf(signInClient.attempt(account, PASSWORD, shown))).toMatch(/^CAPTCHA_/);
  expect(await failuresOf(account)).toBe(failures);
  const proof = await signInClient.proof('code');
  expect((await sendCode(proof)).code).toBe(200);
  expect(await faultOf(sendCode(proof, 'another@example.com'))).toBe('CAPTCHA_WRONG');
});

test('of ten at once with one proof a single one gets through', async () => {
  const proof = await signInClient.proof('code');
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => sendCode(proof, `many${at}@example.com`)));
  expect(answers.filter((one) => one.code === 200)).toHaveLength(1);
  expect(answers.filter((one) => one.body?.fault === 'CAPTCHA_WRONG')).toHaveLength(9);
});

test('an easy proof that was kept counts no more once the work has grown', async () => {
  const { account } = await signInClient.person();
  await fail(account, 3);
  const kept = await signInClient.signInProof(account);
  await fail(account, 1);
  expect(await faultOf(signInClient.attempt(account, PASSWORD, kept))).toBe('CAPTCHA_REQUIRED');
});

test('a proof for another account, purpose or address is refused, and nothing is tried', async () => {
  const [mine, other] = [await signInClient.person(), await signInClient.person()];
  await fail(mine.account, 3);
  await fail(other.account, 3);
  const of = await signInClient.signInProof(other.account);
  expect(await faultOf(signInClient.attempt(mine.account, PASSWORD, of))).toBe('CAPTCHA_WRONG');
  expect(await faultOf(signInClient.attempt(mine.account, PASSWORD, { proof: await signInClient.proof('code') }))).toBe('CAPTCHA_WRONG');
  expect(await failuresOf(mine.account)).toBe(3);
  const forRegister = await signInClient.proof('regist');
  expect(await faultOf(sendCode(forRegister))).toBe('CAPTCHA_WRONG');
  const forCode = await signInClient.proof('code');
  expect(await faultOf(signInClient.nobody.send(registerCalls.captcha, { email: 'new@example.com', proof: forCode }))).toBe(
    'CAPTCHA_WRONG',
  );
  const elsewhere = await app.http.inject({
    method: 'POST',
    url: `/ops${loginCalls.sendCode.path}`,
    remoteAddress: '10.9.8.7',
    payload: { to: 'somebody@example.com', purpose: 'login', proof: forCode },
  });
  expect(elsewhere.json()).toMatchObject({ body: { fault: 'CAPTCHA_WRONG' } });
  expect(await sent()).toBe(0);
});

test('one that is too old is refused', async () => {
  const proof = await signInClient.proof('code');
  const now = app.clock.now;
  app.clock.now = new Date(now.getTime() + 301_000);
  expect(await faultOf(sendCode(proof))).toBe('CAPTCHA_WRONG');
  app.clock.now = now;
  expect((await sendCode(proof)).code).toBe(200);
});

test('made up, changed, unfinished, missing and huge ones are refused in the person’s language, and nothing is sent', async () => {
  const { challenge } = await signInClient.nobody.call(signInCalls.captcha, { purpose: 'code' });
  const right = JSON.parse(await solve(challenge)) as {
    challenge: { parameters: { data: object; keyPrefix: string }; signature: string };
    solution: { counter: number; derivedKey: string };
  };
  const { parameters } = right.challenge;
  const wrong: unknown[] = [
    'no JSON',
    {},
    [],
    { ...right, solution: { ...right.solution, counter: right.solution.counter + 1 } },
    { ...right, solution: { ...right.solution, counter: 1e30 } },
    { ...right, solution: { counter: 0, derivedKey: parameters.keyPrefix.padEnd(64, '0') } },
    { ...right, challenge: { ...right.challenge, signature: '0'.repeat(64) } },
    { ...right, challenge: { parameters } },
    { ...right, challenge: { ...right.challenge, parameters: { ...parameters, keyPrefix: '0' } } },
    { ...right, challenge: { ...right.challenge, parameters: { ...parameters, cost: 1e12 } } },
    { ...right, challenge: { ...right.challenge, parameters: { ...parameters, data: { ...parameters.data, level: 9 } } } },
  ];
  for (const one of wrong) expect(await faultOf(sendCode(typeof one === 'string' ? one : JSON.stringify(one)))).toBe('CAPTCHA_WRONG');
  const chinese = await signInClient.nobody.send(
    loginCalls.sendCode,
    { to: 'somebody@example.com', purpose: 'login', proof: '{}' },
    { headers: { 'accept-language': 'zh-CN' } },
  );
  expect(chinese.message).toBe('自动验证未通过或已超时，请重试。');
  expect(await faultOf(sendCode('x'.repeat(3000)))).toBe('BAD_INPUT');
  expect(await faultOf(sendCode('x'.repeat(100_000)))).toBe('TOO_LARGE');
  expect((await signInClient.nobody.send(loginCalls.sendCode, { to: 'somebody@example.com', purpose: 'login' })).body?.fault).toBe(
    'BAD_INPUT',
  );
  expect(await sent()).toBe(0);
  expect((await sendCode(JSON.stringify(right))).code).toBe(200);
});

test('sending codes from one address grows dearer', async () => {
  await app.context.unscoped((db) =>
    sql`insert into auth_attempt (key, failures, until) values ('codes-from:127.0.0.1', 13, now() + interval '1 hour')`.execute(db),
  );
  const { challenge } = await signInClient.nobody.call(signInCalls.captcha, { purpose: 'regist' });
  expect(levelOf(challenge)).toBe(2);
  const elsewhere = await app.http.inject({ url: `/ops${signInCalls.captcha.path}?purpose=regist`, remoteAddress: '10.9.8.7' });
  expect(levelOf((elsewhere.json() as { body: { challenge: string } }).body.challenge)).toBe(0);
});

test('whoever isn’t signed in learns nothing of an account from its challenge', async () => {
  const { account } = await signInClient.person();
  await fail(account, 3);
  expect(await challengeFor(account)).not.toContain(account);
  expect((await clientOf(app.http, '', 0, 'centre', 0).send(signInCalls.captchaCheck, { account: '' })).body?.fault).toBe('BAD_INPUT');
});
