import { z } from 'zod';
import { TokenBrief, TokenChoice } from '../account/token-brief.ts';
import { call, calls } from '../kit/call.ts';
import { Moment, sealed, secret } from '../kit/schema.ts';
import { MailedCode } from '../shared/one-time-code.ts';
import { Email, EmailOrMobile } from '../shared/patterns.ts';
import { PasswordPolicy } from './policy.ts';
import { Challenge, Proof } from './proof.ts';

export const PlatformName = z.enum(['centre', 'manager']);

/** What may be asked for besides the password. */
export const MfaMethod = z.enum(['totp', 'recovery', 'passkey']);

/**
 * What a sign-in leads to. A session's token is shown once and goes into Authorization (design 5, "Sessions"). Without one the
 * second step is asked for (`mfa`), or the account was cancelled and may be taken back (`restore`); each ticket works for ten minutes.
 */
export const Session = z.object({
  token: z.string(),
  platform: PlatformName,
  passwordChange: z.boolean(),
  mfa: z.object({ ticket: z.string(), methods: z.array(MfaMethod) }).nullable(),
  restore: z.object({ ticket: z.string(), until: Moment }).nullable(),
});
export type Session = z.infer<typeof Session>;

const Ticket = secret(z.string().min(1).max(64));
/** The browser's answer to a passkey question, as JSON text. */
export const Credential = secret(z.string().min(2).max(8192));
/** The question put to the browser, as JSON text. */
const Question = z.object({ ticket: z.string(), options: z.string() });
const perCode = ['CODE_REFUSED', 'TOO_MANY'] as const;
const perProof = ['CAPTCHA_REQUIRED', 'CAPTCHA_WRONG'] as const;
const perSignIn = ['ADDRESS_REFUSED'] as const;

export const loginCalls = calls('auth', '/sys/login', {
  account: call({
    can: 'public',
    tx: 'own',
    input: z.strictObject({
      account: z.string().trim().min(1).max(128),
      password: sealed('login', { max: 128 }),
      platform: PlatformName.default('centre'),
      /** The work done on what `captchaCheck` put; asked for after the failures that the policy names. */
      proof: Proof.optional(),
    }),
    output: Session,
    faults: ['LOGIN_FAILED', ...perProof, 'SEAL_REFUSED', ...perSignIn],
  }),
  /**
   * A code by mail or text message to sign in, or by mail alone to choose a new password: who takes over a number mustn't take the account. The answer is the
   * same whether the address is known or not.
   */
  sendCode: call({
    can: 'public',
    tx: 'own',
    input: z.discriminatedUnion('purpose', [
      z.strictObject({ to: EmailOrMobile, purpose: z.literal('login'), proof: Proof }),
      z.strictObject({ to: Email, purpose: z.literal('reset'), proof: Proof }),
    ]),
    /** `ticket` comes back with the code: what others try with theirs uses up nobody else's code. */
    output: z.object({ waitSeconds: z.int(), ticket: z.string() }),
    faults: perProof,
  }),
  msg: call({
    can: 'public',
    tx: 'own',
    input: z.strictObject({ to: EmailOrMobile, code: MailedCode, ticket: Ticket, platform: PlatformName.default('centre') }),
    output: Session,
    faults: [...perCode, ...perSignIn],
  }),
  passkeyOptions: call({ can: 'public', path: '/sys/login/passkey/options', output: Question }),
  passkey: call({
    can: 'public',
    tx: 'own',
    input: z.strictObject({ ticket: Ticket, credential: Credential, platform: PlatformName.default('centre') }),
    output: Session,
    faults: ['PASSKEY_REFUSED', ...perSignIn],
  }),
  /** The second step by passkey, after the password. */
  mfaPasskeyOptions: call({
    can: 'public',
    tx: 'own',
    path: '/sys/login/mfa/passkey/options',
    input: z.strictObject({ ticket: Ticket }),
    output: Question,
    faults: ['TICKET_OVER'],
  }),
  /** A public key, its id and a nonce that works once, for 120 s. */
  random: call({
    can: 'public',
    reads: true,
    output: z.object({ pubKey: z.string(), keyId: z.string(), nonce: z.string(), expiresIn: z.int() }),
  }),
  /** Crossing over: the token of the other platform, without a new sign-in; this one stays. */
  cross: call({ can: 'session', input: z.strictObject({ platform: PlatformName }), output: Session, faults: ['PLATFORM_NOT_ALLOWED'] }),
});

export const signInCalls = calls('auth', '/sys', {
  logout: call({ can: 'session' }),
  /** The work to be done before a code is mailed; it grows with what its address has asked for already. */
  captcha: call({
    can: 'public',
    reads: true,
    method: 'GET',
    input: z.strictObject({ purpose: z.enum(['code', 'regist']) }),
    output: z.object({ challenge: Challenge }),
  }),
  /** The work to be done before a sign-in with this account is looked at; it grows with each failure. Null: none. */
  captchaCheck: call({
    can: 'public',
    reads: true,
    path: '/sys/captcha/check',
    input: z.strictObject({ account: z.string().trim().min(1).max(128) }),
    output: z.object({ challenge: Challenge.nullable() }),
    faults: perSignIn,
  }),
  /** A mailed code of `sendCode` for a ticket to the next step. */
  validateCode: call({
    can: 'public',
    tx: 'own',
    path: '/secure/verifycode/validate',
    input: z.strictObject({ email: Email, code: MailedCode, ticket: Ticket }),
    /** With the API tokens that work just now: `resetPassword` says whether they go on. */
    output: z.object({ ticket: z.string(), account: z.string(), tokens: z.array(TokenBrief) }),
    faults: perCode,
  }),
  /** The second step of a sign-in: the ticket of the first, and a code or a passkey. */
  validateLogin: call({
    can: 'public',
    tx: 'own',
    path: '/secure/login/verifycode/validate',
    input: z.strictObject({
      ticket: Ticket,
      method: MfaMethod,
      code: secret(z.string().trim().min(6).max(32)).optional(),
      credential: Credential.optional(),
      passkeyTicket: Ticket.optional(),
    }),
    output: Session,
    faults: ['TICKET_OVER', 'CODE_REFUSED', 'PASSKEY_REFUSED', ...perSignIn],
  }),
  resetPassword: call({
    can: 'public',
    tx: 'own',
    path: '/sys/user/reset/password',
    input: z.strictObject({
      ticket: Ticket,
      newPassword: sealed('newPassword', { max: 128 }),
      tokens: TokenChoice,
    }),
    faults: [
      'TICKET_OVER',
      'PASSWORD_WEAK',
      'PASSWORD_COMMON',
      'PASSWORD_USED',
      'PASSWORD_IS_ACCOUNT',
      'PASSWORD_IS_EMAIL',
      'SEAL_REFUSED',
    ],
  }),
  /** The strictest rules for a new password: the same for each address, so that nobody learns which are known. */
  policyByEmail: call({
    can: 'public',
    reads: true,
    path: '/sys/user/getPolicyByEmail',
    input: z.strictObject({ email: Email }),
    output: PasswordPolicy,
  }),
  /** The rules for the password of somebody who is invited. */
  invitePolicy: call({
    can: 'public',
    reads: true,
    path: '/sys/user/out/invite/policy',
    input: z.strictObject({ code: secret(z.string().max(128)).optional() }),
    output: PasswordPolicy,
  }),
});
