import { mfaCalls, passkeyCalls } from '@mooring/contract/account/own-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Doors, doorsOf, PASSWORD } from '../../../test/doors.ts';
import { type Client, type TestHouse, testHouse } from '../../../test/house.ts';
import { passkeyOf } from '../../../test/passkey.ts';

let house: TestHouse;
let doors: Doors;
/** Whose session was stolen, and who stole it: somebody with factors of their own. */
let victim: Client;
let thief: Client;
let thiefId: number;

beforeAll(async () => {
  house = await testHouse();
  doors = doorsOf(house);
  const person = await doors.person();
  victim = await doors.signIn(person.account, PASSWORD);
  await passkeyOf(house.house, person.id);
  await house.house.unscoped((db) =>
    sql`update auth_session set proved_at = now() - interval '1 day' where user_id = ${person.id}`.execute(db),
  );
  const other = await doors.person();
  thiefId = other.id;
  thief = await doors.signIn(other.account, PASSWORD);
});
afterAll(() => house.stop());

const stepped = async () => (await victim.send(tokenCalls.add, { name: 'x', scopes: [] })).body?.fault !== 'STEP_UP_REQUIRED';

test('nobody steps up with another person’s passkey, whoever asked for the question', async () => {
  const key = await passkeyOf(house.house, thiefId);
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
  const answer = await victim.send(mfaCalls.passwordVerify, { password: await doors.seal('password', PASSWORD) });
  expect(answer.code).not.toBe(200);
  expect(await stepped()).toBe(false);
});
