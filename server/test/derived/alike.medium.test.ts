import { approvalEmailCalls } from '@mooring/contract/approval/email-calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import { registerCalls } from '@mooring/contract/auth/register-calls';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fullPasswordCost, hashPassword, openSession, passwordCost } from '../../src/modules/auth/api.ts';
import { addDept, type DeptAt } from '../../src/modules/org/api.ts';
import { type SignInClient, signInClientOf } from '../sign-in-client.ts';
import { type TestApp, testApp } from '../test-app.ts';

/** Whatever a stranger says about somebody, the answer tells nothing of whether they are here, nor how they stand. */

interface Who {
  readonly account: string;
  readonly email: string;
}

let app: TestApp;
let signInClient: SignInClient;
let unit: DeptAt;
let bank: DeptAt;
let closed: DeptAt;
let strict: DeptAt;
let serial = 0;
const unscoped: TestApp['context']['unscoped'] = (work) => app.context.unscoped(work);

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  signInClient = signInClientOf(app);
  unit = await unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: { id: 2, path: '1.2.' } }));
  bank = await app.dept('Harbour Bank', unit);
  closed = await app.dept('Closed Shop', unit);
  const line = await unscoped((db) => addDept(db, { kind: 'productLine', name: 'Strict Line', parent: app.root }));
  strict = await app.dept('Strict Bank', line);
  await unscoped((db) => sql`update org_dept set state = 'disabled' where id = ${closed.id}`.execute(db));
  const policies = [
    [2, { maxTries: 5, captchaAfter: 2, lockMinutes: 15 }],
    [line.id, { maxTries: 3, captchaAfter: 1, lockMinutes: 60, addresses: ['10.0.0.0/8'] }],
  ] as const;
  for (const [id, policy] of policies)
    await unscoped((db) =>
      sql`insert into auth_policy (line, kind, value) values (${id}, 'login', ${JSON.stringify(policy)}::jsonb)`.execute(db),
    );
});
afterAll(() => app.stop());

/** Public calls whose input names a person, and how each names one. Invitations are made up: whoever holds one was told who is meant. */
const newcomer = async ({ account }: Who) => ({
  account,
  userName: 'New One',
  password: await signInClient.seal('regist', 'Fresh.Water8'),
});
const outsider = async (who: Who) => ({ ...(await newcomer(who)), email: who.email, code: '000000' });
/** A link of an approval names who it was sent to by their number: with a sign that is made up it is over for everybody. */
const mailedLink = async ({ account }: Who) => {
  const found = await unscoped((db) => db.selectFrom('account_user').select('id').where('account', '=', account).executeTakeFirst());
  return { taskAuditId: 1, auditUserId: found?.id ?? 999_999, sign: 'made-up-sign-of-a-mail' };
};
const mailedDecision = async (who: Who) => ({ ...(await mailedLink(who)), decision: '0', contentHash: 'a'.repeat(64) });
const org = { name: 'Pier Foods', contactPhone: '+4512345678' };
const calls: readonly (readonly [Call, (who: Who) => Promise<object>])[] = [
  [
    loginCalls.account,
    async ({ account }) => ({ account, password: await signInClient.seal('login', 'Wrong.Word4'), ...(await proofIfAsked(account)) }),
  ],
  [loginCalls.sendCode, async ({ email }) => ({ to: email, purpose: 'reset', proof: await signInClient.proof('code') })],
  [loginCalls.msg, async ({ email }) => ({ to: email, code: '000000', ticket: 'x' })],
  [signInCalls.captchaCheck, async ({ account }) => ({ account })],
  [signInCalls.validateCode, async ({ email }) => ({ email, code: '000000', ticket: 'x' })],
  [signInCalls.policyByEmail, async ({ email }) => ({ email })],
  [registerCalls.captcha, async ({ email }) => ({ email, proof: await signInClient.proof('regist') })],
  [registerCalls.dept, async (who) => ({ ...(await outsider(who)), ...org, unitId: unit.id })],
  [registerCalls.child, async (who) => ({ ...(await outsider(who)), ...org, parentId: bank.id })],
  [registerCalls.join, async (who) => ({ ...(await outsider(who)), deptId: bank.id })],
  [registerCalls.one, outsider],
  [invitedCalls.userRegist, async (who) => ({ ...(await newcomer(who)), invite: 'made-up-invitation' })],
  ...Object.values(approvalEmailCalls).map(
    (call) => [call, call === approvalEmailCalls.auditResult ? mailedDecision : mailedLink] as const,
  ),
  [invitedCalls.deptRegist, async (who) => ({ ...(await newcomer(who)), ...org, invite: 'made-up-invitation' })],
];
/** With a wait there is no work to ask for. */
async function proofIfAsked(account: string): Promise<object> {
  const { code } = await signInClient.nobody.send(signInCalls.captchaCheck, { account });
  return code === 200 ? signInClient.signInProof(account) : {};
}

const naming = /^to$|account|mail|phone|mobile|user|login|recipient/i;
const namesIn = (schema: unknown): string[] =>
  schema !== null && typeof schema === 'object'
    ? Object.entries(schema).flatMap(([key, value]) => [
        ...(key === 'properties' ? Object.keys((value ?? {}) as object) : []),
        ...namesIn(value),
      ])
    : [];
const takesSomebody = (call: Call) =>
  namesIn(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })).some((name) => naming.test(name));

test('each public call that takes an account, an address or the like is tried here', () => {
  const found = allCalls.filter((call) => call.can === 'public' && takesSomebody(call)).map((call) => call.path);
  expect(calls.map(([call]) => call.path).sort()).toEqual(found.sort());
});

const set = (assignment: string) => (id: number) =>
  unscoped((db) => sql`update account_user set ${sql.raw(assignment)} where id = ${id}`.execute(db));
const states: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
  'at work': async () => {},
  disabled: set(`state = '1'`),
  locked: set(`state = '1', locked_until = now() + interval '1 hour', lock_reason = 'tries'`),
  cancelled: set(`state = 'cancelled', cancelled_at = now()`),
  'not let in yet': set(`state = 'joining'`),
  refused: set(`state = 'refused'`),
  'with a password too old': set(`password_at = now() - interval '10 years'`),
  'with a weak password': set(`password_weak = true`),
  'with a first password': set(`password_initial = true`),
  'without a password': set(`password_hash = null`),
  'with a second factor': set(`mfa_on = true`),
  'of a closed organisation': (id) => set(`dept_id = ${closed.id}, dept_path = '${closed.path}'`)(id),
  'of a line with a policy of its own': (id) => set(`dept_id = ${strict.id}, dept_path = '${strict.path}'`)(id),
  'signed in elsewhere': (id) => unscoped((db) => openSession(db, id, 'centre', '10.1.1.1', 'test')),
};

/** Waits to ten seconds, and of work how much it is. */
function told(body: unknown): unknown {
  if (body === null || typeof body !== 'object') return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (key === 'wait' && typeof value === 'number') return [key, Math.round(value / 10)];
      if (key === 'ticket') return [key, /^[0-9a-f]{32}$/.test(String(value))];
      if (key !== 'challenge' || typeof value !== 'string') return [key, value];
      const { parameters, ...rest } = JSON.parse(value) as { parameters: { data: { level: number } } };
      return [key, [Object.keys(parameters), Object.keys(rest), parameters.data.level]];
    }),
  );
}

const TRIES = 5;
async function answersOf(call: Call, input: (who: Who) => Promise<object>, who: Who): Promise<unknown[]> {
  await unscoped((db) => sql`delete from auth_attempt`.execute(db));
  const answers: unknown[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    // A call that only looks answers by what others tried.
    if (call === signInCalls.captchaCheck)
      await signInClient.nobody.send(loginCalls.account, {
        account: who.account,
        password: await signInClient.seal('login', 'Wrong.Word4'),
        ...(await proofIfAsked(who.account)),
      });
    const { status, code, message, body } = await signInClient.nobody.send(call, await input(who));
    answers.push([status, code, message.replace(/\d+/g, '#'), told(body)]);
  }
  return answers;
}

const person = async (state: string): Promise<Who> => {
  const made = await signInClient.person({ account: `known${++serial}`, dept: bank });
  await states[state]?.(made.id);
  return made;
};
const nobody = (): Who => ({ account: `ghost${++serial}`, email: `ghost${serial}@example.com` });

describe.each(calls.map(([call, input]) => [call.path, call, input] as const))('%s', (_path, call, input) => {
  test('answers alike for nobody and for somebody, however they stand, try by try', async () => {
    const unknown = await answersOf(call, input, nobody());
    for (const state of Object.keys(states)) expect([state, await answersOf(call, input, await person(state))]).toEqual([state, unknown]);
  });
});

const signingIn = calls.filter(([call]) => call === signInCalls.captchaCheck || call === loginCalls.account || call === loginCalls.msg);
/** An account and an e-mail are two names of one person, which is for nobody to find out: what is said of one after tries by the other. */
async function afterTries(tried: string, asked: string): Promise<unknown[]> {
  await unscoped((db) => sql`delete from auth_attempt`.execute(db));
  const password = async (account: string) => ({
    account,
    password: await signInClient.seal('login', 'Wrong.Word4'),
    ...(await proofIfAsked(account)),
  });
  for (let tries = 0; tries < TRIES; tries += 1) await signInClient.nobody.send(loginCalls.account, await password(tried));
  const answers: unknown[] = [];
  for (const [call, input] of [...signingIn, ...signingIn]) {
    const { status, code, message, body } = await signInClient.nobody.send(call, await input({ account: asked, email: asked }));
    answers.push([call.path, status, code, message.replace(/\d+/g, '#'), told(body)]);
  }
  return answers;
}

test('nothing under one name tells what was tried under the other, nor that both are one person’s', async () => {
  expect(signingIn.length).toBe(3);
  const unknown = nobody();
  const byEmail = await afterTries(unknown.account, unknown.email);
  const byAccount = await afterTries(unknown.email, unknown.account);
  for (const state of Object.keys(states)) {
    const who = await person(state);
    expect([state, await afterTries(who.account, who.email)]).toEqual([state, byEmail]);
    expect([state, await afterTries(who.email.toUpperCase(), who.account)]).toEqual([state, byAccount]);
  }
  // Where people signed in before they meet the policy of their own line; of one of them nothing tells what was tried as another.
  const [here, other] = [await person('at work'), await person('at work')];
  for (const { account } of [here, other])
    await unscoped(async (db) => {
      const { id } = await db.selectFrom('account_user').select('id').where('account', '=', account).executeTakeFirstOrThrow();
      await openSession(db, id, 'centre', '127.0.0.1', 'test');
    });
  for (const [tried, asked] of [
    [here.account, here.email],
    [here.email, here.account],
  ] as const)
    expect(await afterTries(tried, asked)).toEqual(await afterTries(other.account, asked));
}, 180_000);

test('a password is hashed for nobody as for somebody: by the work of the processor, not by the clock', async () => {
  // At its full cost: a cheap hash would not be seen beside the rest.
  const cheap = { ...passwordCost };
  Object.assign(passwordCost, fullPasswordCost);
  try {
    const work = async (act: () => Promise<unknown>) => {
      const begun = process.cpuUsage();
      await act();
      const { user, system } = process.cpuUsage(begun);
      return user + system;
    };
    // The least of several: the first one takes its memory from the system, which costs as much again on some machines.
    const hashes: number[] = [];
    for (let at = 0; at < 4; at += 1) hashes.push(await work(() => hashPassword('Some.Word77')));
    const hash = Math.min(...hashes);
    const tried = async (who: Who) => {
      await unscoped((db) => sql`delete from auth_attempt`.execute(db));
      const input = { account: who.account, password: await signInClient.seal('login', 'Wrong.Word4') };
      return (await work(() => signInClient.nobody.send(loginCalls.account, input))) > hash / 2;
    };
    const hashed: Record<string, boolean> = { nobody: await tried(nobody()) };
    for (const state of Object.keys(states)) hashed[state] = await tried(await person(state));
    expect(hashed).toEqual(Object.fromEntries(Object.keys(hashed).map((one) => [one, true])));
  } finally {
    Object.assign(passwordCost, cheap);
  }
});
