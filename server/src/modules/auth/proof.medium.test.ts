import { doorCalls, loginCalls } from '@mooring/contract/auth/calls';
import { registerCalls } from '@mooring/contract/auth/register-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Doors, doorsOf, PASSWORD, solve } from '../../../test/doors.ts';
import { clientOf, type TestHouse, testHouse } from '../../../test/house.ts';

let house: TestHouse;
let doors: Doors;

beforeAll(async () => {
  house = await testHouse();
  doors = doorsOf(house);
});
afterAll(() => house.stop());
beforeEach(async () => {
  await house.house.unscoped((db) => sql`delete from auth_attempt`.execute(db));
});

const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const fail = async (account: string, times: number) => {
  for (let tries = 0; tries < times; tries += 1) {
    const answer = await doors.attempt(account, 'Wrong.Word4', await doors.signInProof(account));
    expect(answer.body?.fault).toBe('LOGIN_FAILED');
  }
};
const challengeFor = async (account: string) => (await doors.nobody.call(doorCalls.captchaCheck, { account })).challenge ?? '';
const levelOf = (challenge: string) => (JSON.parse(challenge) as { parameters: { data: { level: number } } }).parameters.data.level;
const failuresOf = async (account: string) =>
  (
    await house.house.unscoped((db) =>
      sql<{ failures: number }>`select failures from auth_attempt
    where key = ${`typed:${account}`}`.execute(db),
    )
  ).rows[0]?.failures;
const sendCode = (proof: string, email = 'somebody@example.com') =>
  doors.nobody.send(loginCalls.sendCode, { email, purpose: 'login', proof });
const sent = async () =>
  Number(
    (await house.house.unscoped((db) => sql<{ n: string }>`select count(*) n from auth_attempt where key like 'codes-%'`.execute(db)))
      .rows[0]?.n,
  );

test('the first failures ask for nothing; then a proof of work is asked for, and it signs in', async () => {
  const { account } = await doors.person();
  expect(await doors.nobody.call(doorCalls.captchaCheck, { account })).toEqual({ challenge: null });
  await fail(account, 3);
  expect(await faultOf(doors.attempt(account, PASSWORD))).toBe('CAPTCHA_REQUIRED');
  expect((await doors.attempt(account, PASSWORD, await doors.signInProof(account))).code).toBe(200);
});

test('the work grows with each failure, alike for an unknown account, and is over with a sign-in', async () => {
  const { account } = await doors.person();
  for (const who of [account, 'never-heard-of']) {
    await house.house.unscoped((db) => sql`delete from auth_attempt`.execute(db));
    await fail(who, 3);
    const levels = [levelOf(await challengeFor(who))];
    for (let more = 0; more < 3; more += 1) {
      await fail(who, 1);
      levels.push(levelOf(await challengeFor(who)));
    }
    expect(levels).toEqual([0, 1, 2, 3]);
  }
  await house.house.unscoped((db) => sql`delete from auth_attempt`.execute(db));
  await fail(account, 4);
  await doors.signIn(account, PASSWORD, await doors.signInProof(account));
  expect(await doors.nobody.call(doorCalls.captchaCheck, { account })).toEqual({ challenge: null });
});

test('an address that fails at many accounts works harder at each of them', async () => {
  for (let more = 0; more < 9; more += 1) await fail(`sprayed${more}`, 1);
  const first = levelOf(await challengeFor('fresh'));
  await house.house.unscoped((db) => sql`update auth_attempt set failures = failures + 36 where key like 'address:%'`.execute(db));
  expect(levelOf(await challengeFor('fresh'))).toBe(first + 2);
});

test('a proof works once', async () => {
  const { account } = await doors.person();
  await fail(account, 3);
  const shown = await doors.signInProof(account);
  expect(await faultOf(doors.attempt(account, 'Wrong.Word4', shown))).toBe('LOGIN_FAILED');
  const failures = await failuresOf(account);
  expect(await faultOf(doors.attempt(account, PASSWORD, shown))).toMatch(/^CAPTCHA_/);
  expect(await failuresOf(account)).toBe(failures);
  const proof = await doors.proof('code');
  expect((await sendCode(proof)).code).toBe(200);
  expect(await faultOf(sendCode(proof, 'another@example.com'))).toBe('CAPTCHA_WRONG');
});

test('of ten at once with one proof a single one gets through', async () => {
  const proof = await doors.proof('code');
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => sendCode(proof, `many${at}@example.com`)));
  expect(answers.filter((one) => one.code === 200)).toHaveLength(1);
  expect(answers.filter((one) => one.body?.fault === 'CAPTCHA_WRONG')).toHaveLength(9);
});

test('an easy proof that was kept counts no more once the work has grown', async () => {
  const { account } = await doors.person();
  await fail(account, 3);
  const kept = await doors.signInProof(account);
  await fail(account, 1);
  expect(await faultOf(doors.attempt(account, PASSWORD, kept))).toBe('CAPTCHA_REQUIRED');
});

test('a proof for another account, purpose or address is refused, and nothing is tried', async () => {
  const [mine, other] = [await doors.person(), await doors.person()];
  await fail(mine.account, 3);
  await fail(other.account, 3);
  const of = await doors.signInProof(other.account);
  expect(await faultOf(doors.attempt(mine.account, PASSWORD, of))).toBe('CAPTCHA_WRONG');
  expect(await faultOf(doors.attempt(mine.account, PASSWORD, { proof: await doors.proof('code') }))).toBe('CAPTCHA_WRONG');
  expect(await failuresOf(mine.account)).toBe(3);
  const forRegister = await doors.proof('regist');
  expect(await faultOf(sendCode(forRegister))).toBe('CAPTCHA_WRONG');
  const forCode = await doors.proof('code');
  expect(await faultOf(doors.nobody.send(registerCalls.captcha, { email: 'new@example.com', proof: forCode }))).toBe('CAPTCHA_WRONG');
  const elsewhere = await house.app.inject({
    method: 'POST',
    url: `/ops${loginCalls.sendCode.path}`,
    remoteAddress: '10.9.8.7',
    payload: { email: 'somebody@example.com', purpose: 'login', proof: forCode },
  });
  expect(elsewhere.json()).toMatchObject({ body: { fault: 'CAPTCHA_WRONG' } });
  expect(await sent()).toBe(0);
});

test('one that is too old is refused', async () => {
  const proof = await doors.proof('code');
  const now = house.clock.now;
  house.clock.now = new Date(now.getTime() + 301_000);
  expect(await faultOf(sendCode(proof))).toBe('CAPTCHA_WRONG');
  house.clock.now = now;
  expect((await sendCode(proof)).code).toBe(200);
});

test('made up, changed, unfinished, missing and huge ones are refused in the person’s language, and nothing is sent', async () => {
  const { challenge } = await doors.nobody.call(doorCalls.captcha, { purpose: 'code' });
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
  const chinese = await doors.nobody.send(
    loginCalls.sendCode,
    { email: 'somebody@example.com', purpose: 'login', proof: '{}' },
    { headers: { 'accept-language': 'zh-CN' } },
  );
  expect(chinese.message).toBe('自动验证未通过或已超时，请重试。');
  expect(await faultOf(sendCode('x'.repeat(3000)))).toBe('BAD_INPUT');
  expect(await faultOf(sendCode('x'.repeat(100_000)))).toBe('TOO_LARGE');
  expect((await doors.nobody.send(loginCalls.sendCode, { email: 'somebody@example.com', purpose: 'login' })).body?.fault).toBe('BAD_INPUT');
  expect(await sent()).toBe(0);
  expect((await sendCode(JSON.stringify(right))).code).toBe(200);
});

test('sending codes from one address grows dearer', async () => {
  await house.house.unscoped((db) =>
    sql`insert into auth_attempt (key, failures, until) values ('codes-from:127.0.0.1', 13, now() + interval '1 hour')`.execute(db),
  );
  const { challenge } = await doors.nobody.call(doorCalls.captcha, { purpose: 'regist' });
  expect(levelOf(challenge)).toBe(2);
  const elsewhere = await house.app.inject({ url: `/ops${doorCalls.captcha.path}?purpose=regist`, remoteAddress: '10.9.8.7' });
  expect(levelOf((elsewhere.json() as { body: { challenge: string } }).body.challenge)).toBe(0);
});

test('whoever isn’t signed in learns nothing of an account from its challenge', async () => {
  const { account } = await doors.person();
  await fail(account, 3);
  expect(await challengeFor(account)).not.toContain(account);
  expect((await clientOf(house.app, '', 0, 'centre', 0).send(doorCalls.captchaCheck, { account: '' })).body?.fault).toBe('BAD_INPUT');
});
