import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { importing, importTemplate } from '../kit/import.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, Name, ref, revises, revision } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { Email } from '../shared/patterns.ts';
import { inviteMachine, userMachine } from './state-machines.ts';
import { TokenBrief, TokenChoice, WayChoice } from './token-brief.ts';

const UserType = z.enum(['1', '2']);
/** A name to sign in with. An address is one's e-mail, so it holds no @. */
export const Account = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{2,31}$/, 'invalid.account');
const Named = z.object({ id: Id, name: z.string() });

export const Member = z.object({
  id: Id,
  account: z.string(),
  userName: z.string(),
  email: z.string().nullable(),
  deptId: Id,
  deptName: z.string(),
  userType: UserType,
  userCategory: z.enum(['0', '1']),
  state: stateOf(userMachine),
  /** After wrong tries strangers wait until then; the person signs in as usual from where they did before. */
  lockedUntil: Moment.nullable(),
  roles: z.array(Named),
  mfaBound: z.boolean(),
  lastLoginAt: Moment.nullable(),
  createdAt: Moment,
  ...revision,
  ...allowedActions,
});
export const MemberDetail = Member.extend({
  mobile: z.string().nullable(),
  managed: z.array(Named),
  openSessions: z.int(),
});

/** A sign-in, and how long its session lasted; kept for 90 days after its end. */
export const SignIn = z.object({
  id: Id,
  platform: z.enum(['centre', 'manager']),
  ip: z.string(),
  agent: z.string(),
  createdAt: Moment,
  seenAt: Moment,
  /** Null while it lasts. */
  endedAt: Moment.nullable(),
});

export const memberFilters = {
  /** A part of the account, the name or the e-mail. */
  text: filter.text(),
  /** This department and all below it. */
  deptId: Id,
  state: filter.exact(stateOf(userMachine)),
  roleId: filter.exact(Id),
  userType: filter.exact(UserType),
};
export const memberCriteria = criteriaOf(memberFilters);

const see = 'access:member:page||access:managerMember:page';
const may = <B extends string>(button: B) => `access:member:${button}||access:managerMember:${button}` as const;
const roleFaults = ['ROLE_ABOVE', 'ROLE_NOT_HERE', 'DEPT_SHUT'] as const;
const editable = {
  userName: Name,
  deptId: ref('dept'),
  userType: UserType.default('2'),
  roleIds: z.array(ref('role')).min(1).max(20),
  managedDeptIds: z.array(ref('dept')).max(100).default([]),
};
/** A one-time password: in this answer where it isn't mailed, and nowhere else. */
const WithPassword = z.object({ id: Id, password: z.string().nullable() });
/** Who takes over a session makes nobody, and becomes nobody. Whose system does it was asked when they made its key. */
const givesAccess = { stepUp: true, tokens: true } as const;
const OnOther = ['MEMBER_SELF', 'MEMBER_ABOVE'] as const;
const bulk = call({ can: may('state'), input: bulkOf(memberCriteria), output: BulkOutcome, tx: 'own' });

/** People of a scope (specification: /sys/member, /managerSys/member). Nobody reaches those who hold more than oneself. */
export const memberCalls = calls('account', '/sys/user/member', {
  page: call({ can: see, reads: true, input: pageQuery(memberFilters, ['-createdAt', 'account', 'userName']), output: pageOf(Member) }),
  detail: call({ can: see, reads: true, input: ById, output: MemberDetail }),
  add: call({
    can: may('add'),
    ...givesAccess,
    tx: 'own',
    input: z.strictObject({ account: Account, email: Email.nullish(), ...editable, mail: z.boolean().default(false) }),
    output: WithPassword,
    faults: ['ACCOUNT_TAKEN', 'CONTACT_TAKEN', 'MAIL_NEEDED', 'MAIL_UNSET', ...roleFaults],
  }),
  update: call({
    can: may('update'),
    ...givesAccess,
    input: z.strictObject({ id: Id, ...revises('user'), email: Email.nullish(), ...editable }),
    output: Member,
    faults: ['CONTACT_TAKEN', 'LAST_ADMINISTRATOR', ...OnOther, ...roleFaults],
  }),
  disable: call({
    can: may('state'),
    input: z.strictObject({ id: Id, tokens: TokenChoice }),
    output: Member,
    faults: ['LAST_ADMINISTRATOR', ...OnOther],
    about: 'user: disable',
  }),
  /** The API tokens of somebody that work just now, for whoever resets their password or shuts them out. */
  tokens: call({
    can: `${may('secure')}||${may('state')}`,
    reads: true,
    input: ById,
    output: z.array(TokenBrief),
    faults: OnOther,
  }),
  enable: transition(userMachine, 'enable', may('state'), Member, { faults: OnOther }),
  unlock: transition(userMachine, 'unlock', may('state'), Member, { faults: OnOther }),
  disableMany: bulk,
  enableMany: bulk,
  unbindMfa: call({ can: may('secure'), stepUp: true, input: ById, output: Member, faults: OnOther }),
  /** The newest 50. */
  signIns: call({ can: may('secure'), reads: true, input: ById, output: z.array(SignIn) }),
  resetPassword: call({
    can: may('secure'),
    ...givesAccess,
    tx: 'own',
    input: z.strictObject({ id: Id, mail: z.boolean().default(false), tokens: TokenChoice, mobile: WayChoice, passkeys: WayChoice }),
    output: WithPassword,
    faults: ['MAIL_NEEDED', 'MAIL_UNSET', ...OnOther],
  }),
  approve: call({
    can: may('audit'),
    ...givesAccess,
    input: z.strictObject({ id: Id, userType: UserType.default('2'), roleIds: z.array(ref('role')).min(1).max(20) }),
    output: Member,
    faults: [...OnOther, 'MEMBER_WITH_ORG', ...roleFaults],
  }),
  refuse: call({
    can: may('audit'),
    input: z.strictObject({ id: Id, reason: z.string().trim().min(1).max(200) }),
    output: Member,
    faults: [...OnOther, 'MEMBER_WITH_ORG'],
  }),
  export: exporting(may('export'), memberCriteria),
  template: importTemplate(may('add')),
  import: importing(may('add'), givesAccess),
});

export const Invitation = z.object({
  id: Id,
  email: z.string(),
  deptId: Id,
  deptName: z.string(),
  userType: UserType,
  roles: z.array(Named),
  state: stateOf(inviteMachine),
  invitedBy: z.string(),
  expiresAt: Moment,
  createdAt: Moment,
  ...allowedActions,
});

const inviteFilters = { text: filter.text(), state: filter.exact(stateOf(inviteMachine)) };
export const inviteCalls = calls('account', '/sys/user/member/invite', {
  page: call({
    can: see,
    reads: true,
    path: '/sys/user/member/invitations',
    input: pageQuery(inviteFilters, ['-createdAt', 'expiresAt']),
    output: pageOf(Invitation),
  }),
  export: exporting(see, criteriaOf(inviteFilters)),
  add: call({
    can: may('add'),
    path: '/sys/user/member/invite',
    ...givesAccess,
    input: z.strictObject({
      email: Email,
      deptId: ref('dept'),
      userType: UserType.default('2'),
      roleIds: z.array(ref('role')).min(1).max(20),
      days: z.int().min(1).max(30).default(7),
    }),
    output: Invitation,
    faults: ['CONTACT_TAKEN', 'PUBLIC_URL_MISSING', ...roleFaults],
  }),
  withdraw: transition(inviteMachine, 'withdraw', may('add'), Invitation),
});
