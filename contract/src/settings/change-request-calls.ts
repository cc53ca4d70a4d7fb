import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, Remark } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { changeRequestMachine } from './state-machines.ts';

/** Null: in effect. Else it waits for a second person as this request. */
const ChangeOutcome = z.object({ changeRequestId: Id }).nullable();

/** What a call declares whose change decides who may sign in. */
export const dual = { stepUp: true, dual: true, output: ChangeOutcome } as const;
/** Requests of one person that may wait beside each other, where each is of a key or a profile. */
export const MOST_WAITING = 100;
/** Why a change that always waits for a second person isn't asked for, or isn't made. */
export const heldFaults = ['DUAL_NOBODY', 'CHANGE_OUTDATED', 'CHANGES_MANY'] as const;

/** What such a change is about. */
export const ChangeTarget = z.enum([
  'mail',
  'sms',
  'outbound',
  'singleSignOn',
  'registration',
  'unauthenticated',
  'dualControl',
  'syslog',
  'retention',
  'loginPolicy',
  'passwordPolicy',
]);
export type ChangeTarget = z.infer<typeof ChangeTarget>;

export const ChangeRequest = z.object({
  id: Id,
  target: ChangeTarget,
  /** The product line of a policy. */
  lineName: z.string().nullable(),
  lineId: Id.nullable(),
  /** The fields that it changes. Of a secret only that there is another. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown(), secret: z.boolean() })),
  author: z.string(),
  createdAt: Moment,
  expiresAt: Moment,
  state: stateOf(changeRequestMachine),
  decidedBy: z.string().nullable(),
  decidedAt: Moment.nullable(),
  remark: z.string(),
  ...allowedActions,
});

const see = 'settings:system:page';
/** Which of the two is needed says the change. */
const can = 'settings:system:update||settings:policy:update';
const decision = { can, stepUp: true, output: ChangeRequest } as const;
const notOwn = ['CHANGE_OWN', 'CHANGE_EXPIRED'] as const;

/** Changes that wait for a second person (design 5, dual control). */
export const changeRequestCalls = calls('settings', '/sys/changeRequest', {
  page: call({
    can: see,
    reads: true,
    input: pageQuery({ target: filter.exact(ChangeTarget), state: filter.exact(stateOf(changeRequestMachine)) }, ['-createdAt']),
    output: pageOf(ChangeRequest),
  }),
  /** Carries the change out by the rules of its own call, as the approver's change too: whatever that refuses is refused here. */
  approve: call({
    ...decision,
    input: ById,
    tx: 'own',
    faults: [...notOwn, 'CHANGE_AUTHOR', 'CHANGE_ONE_HAND', 'CHANGE_OUTDATED'],
    about: 'changeRequest: approve',
  }),
  refuse: call({
    ...decision,
    input: z.strictObject({ id: Id, remark: Remark.min(1) }),
    tx: 'own',
    faults: notOwn,
    about: 'changeRequest: refuse',
  }),
  withdraw: call({ can, input: ById, output: ChangeRequest, about: 'changeRequest: withdraw' }),
});
