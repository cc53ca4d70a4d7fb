import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, Remark } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { changeRequestMachine } from '../settings/state-machines.ts';

/** What two people do together with a key. */
export const keyChanges = [
  'keyAdd',
  'keyPolicy',
  'keyChain',
  'keyNext',
  'keyDropNext',
  'keyResume',
  'keyRetire',
  'keyDestroy',
  'keyExport',
  'keyWriteOff',
] as const;
/** And with a profile, which says whose signatures count. */
export const profileChanges = ['profileAdd', 'profileUpdate', 'profileDelete'] as const;
export const signingChanges = [...keyChanges, ...profileChanges] as const;
const Target = z.enum(signingChanges);

/** A change of a key or of a profile while it waits for a second person, and afterwards. */
const KeyChange = z.object({
  id: Id,
  target: Target,
  keyId: Id.nullable(),
  /** Null of one that isn't there yet. */
  profileId: Id.nullable(),
  /** Of the key, or of the profile. */
  keyName: z.string(),
  deptName: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** Null of who isn't seen here, as that of who decided. */
  author: z.string().nullable(),
  createdAt: Moment,
  expiresAt: Moment,
  state: stateOf(changeRequestMachine),
  decidedBy: z.string().nullable(),
  decidedAt: Moment.nullable(),
  remark: z.string(),
  ...allowedActions,
});

const can = 'signing:key:approve';
const decision = { can, stepUp: true, output: KeyChange, tx: 'own' } as const;
const notOwn = ['CHANGE_OWN', 'CHANGE_EXPIRED'] as const;

export const keyChangeCalls = calls('signing', '/api/keystore/change', {
  page: call({
    /** Who doesn't see keys sees those of profiles. */
    can: 'signing:key:page||signing:job:page',
    reads: true,
    input: pageQuery(
      {
        target: filter.exact(Target),
        state: filter.exact(stateOf(changeRequestMachine)),
        keyId: filter.exact(Id),
        of: filter.exact(z.enum(['key', 'profile'])),
      },
      ['-createdAt'],
    ),
    output: pageOf(KeyChange),
  }),
  approve: call({
    ...decision,
    input: ById,
    faults: [
      ...notOwn,
      'CHANGE_AUTHOR',
      'CHANGE_ONE_HAND',
      'CHANGE_OUTDATED',
      'KEY_VAULT_AWAY',
      'KEY_TOKEN_AWAY',
      'KEY_TOKEN_REFUSED',
      'KEY_TOKEN_MISSING',
      'SIGNATURE_MISMATCH',
      'SIGNING_PROFILE_TAKEN',
      'SIGNING_PROFILE_PRODUCT',
      'SIGNING_PROFILE_IN_USE',
    ],
    about: 'changeRequest: approve',
  }),
  refuse: call({ ...decision, input: z.strictObject({ id: Id, remark: Remark.min(1) }), faults: notOwn, about: 'changeRequest: refuse' }),
  withdraw: call({
    can: 'signing:key:add||signing:key:update||signing:profile:add||signing:profile:update||signing:profile:delete',
    input: ById,
    output: KeyChange,
    about: 'changeRequest: withdraw',
  }),
});
