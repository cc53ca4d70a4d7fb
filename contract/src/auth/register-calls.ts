import { z } from 'zod';
import { allowedActionsOf } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { ById, Id, Moment, Name, sealed } from '../kit/schema.ts';
import { MailedCode } from '../shared/one-time-code.ts';
import { Email } from '../shared/patterns.ts';
import { isTimeZone } from '../shared/time-zone.ts';
import { PasswordPolicy } from './policy.ts';
import { Proof } from './proof.ts';

/** Ways in: an organisation below a unit, one below another, joining one that is there, or alone. */
export const registerKinds = ['org', 'child', 'join', 'one'] as const;
export const RegisterKind = z.enum(registerKinds);
export type RegisterKind = z.infer<typeof RegisterKind>;

/** A name to sign in with. An address is one's e-mail, so it holds no @. */
const AccountName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$/, 'invalid.account');

/** Who registers. The account is a wish: where somebody has it, digits are added, and nobody else learns of it. */
export const Newcomer = z.strictObject({
  account: AccountName,
  userName: Name,
  password: sealed('regist', { max: 128 }),
});
const person = { ...Newcomer.shape, email: Email, code: MailedCode };

export const registerDeptFields = {
  name: Name,
  timeZone: z.string().max(64).refine(isTimeZone, 'invalid.timeZone').default('UTC'),
  contactPhone: z.string().trim().max(32).default(''),
  address: z.string().trim().max(200).default(''),
};

const Registered = z.object({ id: Id, kind: RegisterKind });
const passwordFaults = ['PASSWORD_WEAK', 'PASSWORD_COMMON', 'PASSWORD_IS_ACCOUNT', 'PASSWORD_IS_EMAIL', 'SEAL_REFUSED'] as const;
const faults = ['REGIST_CLOSED', 'REGIST_PLACE', 'CODE_REFUSED', ...passwordFaults];

/** How an application stands, for whoever made it. */
export const Registration = z.object({
  id: Id,
  kind: RegisterKind,
  state: z.enum(['waiting', 'refused', 'approved', 'withdrawn']),
  account: z.string(),
  email: z.string().nullable(),
  userName: z.string(),
  /** What was applied for: the new organisation, or the one to join. */
  deptName: z.string(),
  /** The unit whose people decide. */
  decider: z.string(),
  reason: z.string().nullable(),
  createdAt: Moment,
  /** What may be mended before it is handed in again. */
  dept: z.object({ name: z.string(), timeZone: z.string(), contactPhone: z.string(), address: z.string() }).nullable(),
  ...allowedActionsOf(['withdraw', 'resubmit']),
});
export type Registration = z.infer<typeof Registration>;

/** Registration at the door (specification, section 7). Each is one transaction, and answers the same for a known address and an unknown one. */
export const registerCalls = calls('auth', '/sys/regist', {
  /** Whether the door is open, and for what. */
  state: call({
    can: 'public',
    reads: true,
    output: z.object({ open: z.boolean(), kinds: z.array(RegisterKind), policy: PasswordPolicy }),
  }),
  /** Units and organisations that are open to strangers, by their exact code or at least three letters of the name; at most ten. */
  find: call({
    can: 'public',
    reads: true,
    tx: 'own',
    input: z.strictObject({ kind: z.enum(['org', 'child', 'join']), text: z.string().trim().min(3).max(64) }),
    output: z.array(z.object({ id: Id, name: z.string() })),
    faults: ['REGIST_CLOSED'],
  }),
  /** A code by mail that confirms an address. Whoever has an account already is told so by mail instead. */
  captcha: call({
    can: 'public',
    tx: 'own',
    input: z.strictObject({ email: Email, proof: Proof }),
    output: z.object({ waitSeconds: z.int() }),
    faults: ['CAPTCHA_REQUIRED', 'CAPTCHA_WRONG', 'REGIST_CLOSED'],
  }),
  dept: call({
    can: 'public',
    tx: 'own',
    path: '/sys/regist',
    input: z.strictObject({ unitId: Id, ...registerDeptFields, ...person }),
    output: Registered,
    faults,
  }),
  child: call({
    can: 'public',
    tx: 'own',
    path: '/sys/regist/dept/child',
    input: z.strictObject({ parentId: Id, ...registerDeptFields, ...person }),
    output: Registered,
    faults,
  }),
  join: call({
    can: 'public',
    tx: 'own',
    path: '/sys/regist/dept/join',
    input: z.strictObject({ deptId: Id, ...person }),
    output: Registered,
    faults,
  }),
  one: call({ can: 'public', tx: 'own', path: '/sys/regist/dept/one', input: z.strictObject(person), output: Registered, faults }),
  detail: call({
    can: 'session',
    reads: true,
    path: '/sys/regist/detail/{id}',
    input: ById,
    output: Registration,
  }),
  withdraw: call({ can: 'session', input: ById }),
  /** After a refusal; what was asked to be mended goes along. */
  resubmit: call({
    can: 'session',
    input: z.strictObject({ id: Id, dept: z.strictObject(registerDeptFields).optional() }),
    output: Registration,
  }),
});
