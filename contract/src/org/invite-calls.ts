import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, Name, ref } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { Email } from '../shared/patterns.ts';
import { deptInviteMachine } from './state-machines.ts';

export const DeptInvitation = z.object({
  id: Id,
  email: z.string(),
  /** What the organisation is to be called, and what it will stand below. */
  name: z.string(),
  parentId: Id,
  parentName: z.string(),
  state: stateOf(deptInviteMachine),
  invitedBy: z.string(),
  expiresAt: Moment,
  createdAt: Moment,
  ...allowedActions,
});

export const JoinSettings = z.object({ id: Id, joinable: z.boolean(), joinCode: z.string() });

const filters = { text: filter.text(), state: filter.exact(stateOf(deptInviteMachine)) };

/** Organisations asked to register, and whether strangers find a unit at the door. */
export const deptInviteCalls = calls('org', '/sys/dept/invite', {
  page: call({
    can: 'org:dept:page',
    reads: true,
    path: '/sys/dept/invitations',
    input: pageQuery(filters, ['-createdAt', 'expiresAt']),
    output: pageOf(DeptInvitation),
  }),
  export: exporting('org:dept:page', criteriaOf(filters)),
  add: call({
    can: 'org:dept:add',
    path: '/sys/dept/invite',
    // Its first manager gets an account: as with an invitation of a person.
    stepUp: true,
    tokens: true,
    input: z.strictObject({ email: Email, name: Name, parentId: ref('dept'), days: z.int().min(1).max(30).default(7) }),
    output: DeptInvitation,
    faults: ['CONTACT_TAKEN', 'DEPT_SHUT', 'DEPT_PLACE', 'FOUNDING_ABOVE', 'PUBLIC_URL_MISSING'],
  }),
  withdraw: transition(deptInviteMachine, 'withdraw', 'org:dept:add', DeptInvitation),
  /** Whether strangers find it, and the code that finds it. */
  door: call({ can: 'org:dept:page', reads: true, path: '/sys/dept/door', input: ById, output: JoinSettings }),
  setDoor: call({
    can: 'org:dept:update',
    path: '/sys/dept/door/save',
    input: z.strictObject({ id: Id, joinable: z.boolean() }),
    output: JoinSettings,
  }),
});
