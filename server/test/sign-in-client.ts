import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { loginCalls, type Session, signInCalls } from '@mooring/contract/auth/calls';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { addUser } from '../src/modules/account/api.ts';
import { writeSetting } from '../src/platform/settings.ts';
import { newestMail } from './mails.ts';
import { type Client, clientOf, type TestApp } from './test-app.ts';

export interface SignInClient {
  /** Nobody: for public calls. */
  readonly nobody: Client;
  seal(purpose: string, secret: string): Promise<never>;
  /** The envelope of a sign-in, as it came. */
  attempt(account: string, password: string, more?: object, headers?: Record<string, string>): ReturnType<Client['send']>;
  /** Signed in, or an error. */
  signIn(account: string, password: string, more?: object): Promise<Client>;
  /** The answer of a first step. */
  firstStep(account: string, password: string): Promise<Session>;
  /** Somebody new with a password that everybody knows. */
  person(more?: Partial<Parameters<typeof addUser>[1]>): Promise<{ id: number; account: string; email: string }>;
  /** The work done that a mail is sent for. */
  proof(purpose: 'code' | 'regist'): Promise<string>;
  /** A code asked for, with what it came to and the ticket of the asking; none came where the code is empty. */
  codeFor(to: string, purpose: 'login' | 'reset'): Promise<{ code: string; ticket: string }>;
  /** The work done that a sign-in asks for just now, if any. */
  signInProof(account: string): Promise<{ proof?: string }>;
  /** The newest kept mail to somebody; its code if it has one. */
  mailTo(email: string): Promise<{ template: string; code: string; text: string } | undefined>;
}

export const PASSWORD = 'Good.Word3x';

/** As the console does it. */
export async function solve(text: string): Promise<string> {
  const challenge = JSON.parse(text) as Challenge;
  return JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) });
}

/** Strangers may register: a new installation doesn't let them. */
export const openRegistration = ({ context, clock }: TestApp): Promise<void> =>
  context.unscoped((db) => writeSetting(db, context.masterKey, 'registration', { open: true, oneDeptId: null }, clock.now));

export function signInClientOf(app: TestApp): SignInClient {
  const nobody = clientOf(app.http, '', 0, 'centre', 0);
  let serial = 0;
  const seal = async (purpose: string, secret: string) => {
    const { pubKey, keyId, nonce } = await nobody.call(loginCalls.random);
    const key = createPublicKey({ key: Buffer.from(pubKey, 'base64'), format: 'der', type: 'spki' });
    const padding = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: Buffer.from(`${purpose}:${nonce}`) };
    return { keyId, nonce, data: publicEncrypt(padding, Buffer.from(secret)).toString('base64') } as never;
  };
  const attempt: SignInClient['attempt'] = async (account, password, more = {}, headers = {}) =>
    nobody.send(loginCalls.account, { account, password: await seal('login', password), ...more }, { headers });
  return {
    nobody,
    seal,
    attempt,
    async signIn(account, password, more) {
      const { code, body, message } = await attempt(account, password, more);
      const token = (body as unknown as Session | null)?.token;
      if (code !== 200 || !token) throw new Error(`${account} did not get in: ${code} ${message} ${JSON.stringify(body)}`);
      return clientOf(app.http, token, 0, 'centre', 0);
    },
    firstStep: async (account, password) => nobody.call(loginCalls.account, { account, password: await seal('login', password) }),
    async person(more = {}) {
      serial += 1;
      const account = more.account ?? `door${serial}`;
      const email = more.email ?? `${account}@example.com`;
      const all = { account, name: account, email, password: PASSWORD, dept: { id: 2, path: '1.2.' }, roles: ['orgManager'], ...more };
      return { id: await app.context.unscoped((db) => addUser(db, all)), account, email };
    },
    proof: async (purpose) => solve((await nobody.call(signInCalls.captcha, { purpose })).challenge),
    async codeFor(to, purpose) {
      const proof = await solve((await nobody.call(signInCalls.captcha, { purpose: 'code' })).challenge);
      const before = (await newestMail(app, to))?.id;
      const { ticket } = await nobody.call(loginCalls.sendCode, { to, purpose, proof });
      await app.runJobs();
      await app.runJobs();
      const sent = await newestMail(app, to);
      return { ticket, code: sent && sent.id !== before ? (/\d{6,}/.exec(sent.text)?.[0] ?? '') : '' };
    },
    async signInProof(account) {
      const { challenge } = await nobody.call(signInCalls.captchaCheck, { account });
      return challenge === null ? {} : { proof: await solve(challenge) };
    },
    async mailTo(email) {
      await app.runJobs();
      await app.runJobs();
      const row = await newestMail(app, email);
      return row && { ...row, code: /\n(\d{6,})\n/.exec(row.text)?.[1] ?? '' };
    },
  };
}
