import { z } from 'zod';
import { Credential, MfaMethod } from '../auth/calls.ts';
import { call, calls } from '../kit/call.ts';
import { ById, Id, Moment, Name, sealed, secret } from '../kit/schema.ts';
import { MailedCode } from '../shared/one-time-code.ts';
import { Email, Mobile } from '../shared/patterns.ts';

const AppCode = secret(
  z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'invalid.appCode'),
);
const Ticket = secret(z.string().min(1).max(64));
const Question = z.object({ ticket: z.string(), options: z.string() });

/** What a person keeps about themselves. */
export const profileCalls = calls('account', '/sys/user', {
  editName: call({ can: 'session', input: z.strictObject({ name: Name }) }),
  country: call({
    can: 'session',
    input: z.strictObject({
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, 'invalid.country')
        .nullable(),
    }),
    faults: ['COUNTRY_UNKNOWN'],
  }),
  /** A picture as base64; it is drawn anew and kept small. Null takes it away. */
  image: call({
    can: 'session',
    tx: 'own',
    input: z.strictObject({ image: z.string().max(900_000).nullable() }),
    faults: ['FILE_NOT_GENUINE', 'PICTURE_LARGE'],
  }),
});

/** Where a person is reached. A new address counts once a code that went there came back. */
export const contactCalls = calls('account', '/sys/user/contact', {
  sendCode: call({
    can: 'session',
    tx: 'own',
    stepUp: true,
    input: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('email'), to: Email }),
      z.strictObject({ kind: z.literal('mobile'), to: Mobile }),
    ]),
    output: z.object({ waitSeconds: z.int() }),
    faults: ['CONTACT_TAKEN'],
  }),
  bindEmail: call({
    can: 'session',
    tx: 'own',
    stepUp: true,
    input: z.strictObject({ to: Email, code: MailedCode }),
    faults: ['CODE_REFUSED', 'CONTACT_TAKEN'],
  }),
  bindMobile: call({
    can: 'session',
    tx: 'own',
    stepUp: true,
    input: z.strictObject({ to: Mobile, code: MailedCode }),
    faults: ['CODE_REFUSED', 'CONTACT_TAKEN'],
  }),
  unbindMobile: call({ can: 'session', stepUp: true }),
});

export const Passkey = z.object({ id: Id, name: z.string(), createdAt: Moment, usedAt: Moment.nullable() });

/** The second factor: an authenticator app with recovery codes, passkeys, and the proof that one is it (step-up). */
export const mfaCalls = calls('account', '/sys/user/mfa', {
  status: call({
    can: 'session',
    reads: true,
    output: z.object({
      policy: z.enum(['off', 'optional', 'required']),
      /** Whether it is asked for at each sign-in. */
      on: z.boolean(),
      totp: z.boolean(),
      methods: z.array(MfaMethod),
      recoveryLeft: z.int(),
      passkeys: z.array(Passkey),
    }),
  }),
  /** A new seed, as a picture to scan and as text to type; it counts once a code of it was given. */
  bindInfo: call({
    can: 'session',
    tx: 'own',
    stepUp: true,
    path: '/sys/user/mfa/bind/info',
    output: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
    faults: ['MFA_BOUND'],
  }),
  bind: call({
    can: 'session',
    tx: 'own',
    stepUp: true,
    input: z.strictObject({ code: AppCode }),
    output: z.object({ recovery: z.array(z.string()) }),
    faults: ['CODE_REFUSED', 'MFA_BOUND'],
  }),
  newRecovery: call({ can: 'session', stepUp: true, output: z.object({ recovery: z.array(z.string()) }), faults: ['MFA_NOT_BOUND'] }),
  unbind: call({ can: 'session', stepUp: true, faults: ['MFA_NOT_BOUND', 'MFA_NEEDED'] }),
  /** Whether a bound factor is asked for at sign-in. */
  modifyStatus: call({ can: 'session', stepUp: true, input: z.strictObject({ on: z.boolean() }), faults: ['MFA_NOT_BOUND', 'MFA_NEEDED'] }),
  /** Proves for ten minutes that one is it. */
  verify: call({
    can: 'session',
    tx: 'own',
    input: z.strictObject({ method: z.enum(['totp', 'recovery']), code: secret(z.string().trim().min(6).max(32)) }),
    faults: ['CODE_REFUSED', 'MFA_NOT_BOUND'],
  }),
  /** The same by the password, for those who have no second factor. */
  passwordVerify: call({
    can: 'session',
    tx: 'own',
    path: '/sys/user/mfa/password/verify',
    input: z.strictObject({ password: sealed('verify', { max: 128 }) }),
    faults: ['PASSWORD_WRONG', 'MFA_NEEDED', 'SEAL_REFUSED'],
  }),
});

export const passkeyCalls = calls('account', '/sys/user/passkey', {
  options: call({ can: 'session', tx: 'own', stepUp: true, output: Question }),
  add: call({
    can: 'session',
    tx: 'own',
    stepUp: true,
    input: z.strictObject({ ticket: Ticket, credential: Credential, name: Name }),
    faults: ['PASSKEY_REFUSED'],
  }),
  delete: call({ can: 'session', stepUp: true, input: ById, faults: ['MFA_NEEDED'] }),
  verifyOptions: call({ can: 'session', tx: 'own', output: Question, faults: ['MFA_NOT_BOUND'] }),
  verify: call({
    can: 'session',
    tx: 'own',
    input: z.strictObject({ ticket: Ticket, credential: Credential }),
    faults: ['PASSKEY_REFUSED'],
  }),
});

export const sessionCalls = calls('account', '/sys/user/session', {
  list: call({
    can: 'session',
    reads: true,
    output: z.array(
      z.object({
        id: Id,
        platform: z.enum(['centre', 'manager']),
        ip: z.string(),
        agent: z.string(),
        createdAt: Moment,
        seenAt: Moment,
        own: z.boolean(),
      }),
    ),
  }),
  end: call({ can: 'session', input: ById }),
  endOthers: call({ can: 'session' }),
});

export const leavingCalls = calls('account', '/sys/user', {
  /** Gives the account up; its name is typed so that nobody does by mistake. It can be taken back for thirty days. */
  cancel: call({ can: 'session', stepUp: true, input: z.strictObject({ account: z.string().max(128) }), faults: ['LAST_ADMINISTRATOR'] }),
  /** Takes a cancelled account back, with the ticket that its sign-in gave. */
  restoreAuth: call({ can: 'public', path: '/sys/user/restore/auth', input: z.strictObject({ ticket: Ticket }), faults: ['TICKET_OVER'] }),
});
