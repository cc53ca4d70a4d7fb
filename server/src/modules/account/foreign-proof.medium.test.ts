import { mfaCalls, passkeyCalls } from '@mooring/contract/account/own-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passkeyOf } from '../../../test/passkey.ts';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let signInClient: SignInClient;
/** Whose session was stolen, and who stole it: somebody with factors of their own. */
let victim: Client;
let thief: Client;
let thiefId: number;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  const person = await signInClient.person();
  victim = await signInClient.signIn(person.account, PASSWORD);
  await passkeyOf(app.context, person.id);
  await app.context.unscoped((db) =>
    sql`update auth_session set proved_at = now() - interval '1 day' where user_id = ${person.id}`.execute(db),
  );
  const other = await signInClient.person();
  thiefId = other.id;
  thief = await signInClient.signIn(other.account, PASSWORD);
});
afterAll(() => app.stop());

const stepped = async () => (await victim.send(tokenCalls.add, { name: 'x', scopes: [] })).body?.fault !== 'STEP_UP_REQUIRED';

test('nobody steps up with another person’s passkey, whoever asked for the question', async () => {
  const key = await passkeyOf(app.context, thiefId);
  expect(await stepped()).toBe(false);
  const asked = await thief.call(passkeyCalls.verifyOptions);
  const answers = [
    await victim.send(passkeyCalls.verify, { ticket: asked.ticket, credential: key.answer(asked.options) }),
    await askedByVictim(key.answer),
  ];
  expect(answers.map((one) => one.body?.fault)).toEqual(['PASSKEY_REFUSED', 'PASSKEY_REFUSED']);
  expect(await stepped()).toBe(false);
  const own = await thief.call(passkeyCalls.verifyOptions);
  expect((await thief.send(passkeyCalls.verify, { ticket: own.ticket, credential: key.answer(own.options) })).code).toBe(200);
});
async function askedByVictim(answer: (options: string) => string) {
  const asked = await victim.call(passkeyCalls.verifyOptions);
  return victim.send(passkeyCalls.verify, { ticket: asked.ticket, credential: answer(asked.options) });
}

test('nor by a password, where a second factor is bound', async () => {
  const answer = await victim.send(mfaCalls.passwordVerify, { password: await signInClient.seal('password', PASSWORD) });
  expect(answer.code).not.toBe(200);
  expect(await stepped()).toBe(false);
});
