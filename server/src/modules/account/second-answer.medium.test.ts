import { passkeyCalls } from '@mooring/contract/account/own-calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPasskey, type Passkey, passkeyOf } from '../../../test/passkey.ts';
import { PASSWORD, type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let signInClient: SignInClient;
beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
});
afterAll(() => app.stop());

interface Question {
  readonly ticket: string;
  readonly options: string;
}
type Answer = Awaited<ReturnType<Client['send']>>;
/** A place where a passkey is asked for. */
interface Place {
  ask(): Promise<Question>;
  right(options: string): string;
  send(ticket: string, credential: string): Promise<Answer>;
}

/** Somebody signed in, and afterwards with a passkey. */
async function holder(bound = true): Promise<{ account: string; client: Client; key: Passkey }> {
  const { id, account } = await signInClient.person();
  const client = await signInClient.signIn(account, PASSWORD);
  const key = bound ? await passkeyOf(app.context, id) : newPasskey();
  if (bound) await app.context.unscoped((db) => sql`update account_user set mfa_on = true where id = ${id}`.execute(db));
  return { account, client, key };
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  async 'a sign-in'() {
    const { key } = await holder();
    const { nobody } = signInClient;
    return {
      ask: () => nobody.call(loginCalls.passkeyOptions),
      right: key.answer,
      send: (ticket, credential) => nobody.send(loginCalls.passkey, { ticket, credential }),
    };
  },
  async 'the second step'() {
    const { account, key } = await holder();
    const { nobody } = signInClient;
    let step = '';
    return {
      async ask() {
        step = (await signInClient.firstStep(account, PASSWORD)).mfa?.ticket ?? '';
        return nobody.call(loginCalls.mfaPasskeyOptions, { ticket: step });
      },
      right: key.answer,
      send: (passkeyTicket, credential) =>
        nobody.send(signInCalls.validateLogin, { ticket: step, method: 'passkey', credential, passkeyTicket }),
    };
  },
  async 'a step-up'() {
    const { client, key } = await holder();
    return {
      ask: () => client.call(passkeyCalls.verifyOptions),
      right: key.answer,
      send: (ticket, credential) => client.send(passkeyCalls.verify, { ticket, credential }),
    };
  },
  async 'a new passkey'() {
    const { client, key } = await holder(false);
    return {
      ask: () => client.call(passkeyCalls.options),
      right: key.create,
      send: (ticket, credential) => client.send(passkeyCalls.add, { ticket, credential, name: 'Key' }),
    };
  },
};

/** The answer to another question than the one that was asked. */
function wrong(credential: string): string {
  const said = JSON.parse(credential) as { response: { clientDataJSON: string } };
  const client = JSON.parse(Buffer.from(said.response.clientDataJSON, 'base64url').toString()) as object;
  const other = Buffer.from(JSON.stringify({ ...client, challenge: 'AAAA' })).toString('base64url');
  return JSON.stringify({ ...said, response: { ...said.response, clientDataJSON: other } });
}

test.each(Object.entries(places))('%s: after a wrong answer the right one to the same question is too late', async (_name, open) => {
  const { ask, right, send } = await open();
  const { ticket, options } = await ask();
  for (const credential of [wrong(right(options)), right(options)]) {
    const answer = await send(ticket, credential);
    expect([answer.code === 200, answer.body?.fault]).toEqual([false, 'PASSKEY_REFUSED']);
  }
  // Nothing else was wrong with it.
  const next = await ask();
  expect((await send(next.ticket, right(next.options))).code).toBe(200);
});
