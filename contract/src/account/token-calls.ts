import { z } from 'zod';
import { PlatformName } from '../auth/calls.ts';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, Name } from '../kit/schema.ts';
import { Cidr } from '../shared/cidr.ts';

/** A key for another system: it acts as its person, with no more than the permissions that it was given. */
export const ApiToken = z.object({
  id: Id,
  name: z.string(),
  /** Its first characters, to tell it by. */
  hint: z.string(),
  owner: z.string(),
  platform: PlatformName,
  scopes: z.array(z.string()),
  addresses: z.array(z.string()),
  /** The only organisation that it acts for; none: as its person. */
  onlyDept: z.string().nullable(),
  perMinute: z.int(),
  expiresAt: Moment,
  lastUsedAt: Moment.nullable(),
  lastIp: z.string().nullable(),
  createdAt: Moment,
  state: z.enum(['valid', 'expired', 'revoked']),
  ...allowedActions,
});
export const TOKENS_PER_PERSON = 50;
const criteria = {
  text: filter.text(),
  state: filter.exact(z.enum(['valid', 'expired', 'revoked'])),
  scope: filter.exact(z.string().max(64)),
};

const query = pageQuery(criteria, ['-createdAt']);

export const tokenCalls = calls('account', '/sys/user/token', {
  page: call({ can: 'session', reads: true, input: query, output: pageOf(ApiToken) }),
  /** The token itself is in this answer only. */
  add: call({
    can: 'session',
    stepUp: true,
    input: z.strictObject({
      name: Name,
      scopes: z.array(z.string().max(64)).min(1).max(200),
      addresses: z.array(Cidr).max(20).default([]),
      perMinute: z.int().min(1).max(6000).default(600),
      /** At most a year: every token ends. */
      days: z.int().min(1).max(365).default(90),
      /** Acts for the organisation where it is made alone, whatever its person may do elsewhere. */
      onlyHere: z.boolean().default(false),
    }),
    output: z.object({ token: z.string(), row: ApiToken }),
    faults: ['TOKEN_SCOPE', 'TOKEN_LIMIT'],
  }),
  revoke: call({ can: 'session', input: ById }),
});

/** Everybody's tokens within the scope, for administrators. */
export const tokenAdminCalls = calls('account', '/sys/user/tokens', {
  page: call({ can: 'settings:token:page', reads: true, input: query, output: pageOf(ApiToken) }),
  export: exporting('settings:token:page', query.shape.criteria),
  revoke: call({ can: 'settings:token:revoke', input: ById }),
});
