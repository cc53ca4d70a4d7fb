import { allowedActions } from '@mooring/contract/kit/allowed-actions';
import { call, calls } from '@mooring/contract/kit/call';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '@mooring/contract/kit/page';
import { Id, Moment, Name, Remark } from '@mooring/contract/kit/schema';
import { machine, stateOf } from '@mooring/contract/kit/state-machine';
import { Email } from '@mooring/contract/shared/patterns';
import { z } from 'zod';

/** Calls that only the gallery makes, answered in the browser. */
export const boatMachine = machine('device', {
  initial: 'inactive',
  states: {
    inactive: { code: '1', tone: 'idle', about: '' },
    offline: { code: '2', tone: 'bad', about: '' },
    online: { code: '3', tone: 'good', about: '' },
    disabled: { code: '4', tone: 'ended', about: '' },
    stocked: { code: '5', tone: 'wait', about: '' },
  },
  events: { disable: { from: ['online', 'offline'], to: 'disabled' } },
});
const kinds = ['firmware', 'module', 'patch', 'app', 'param'] as const;
export const Boat = z.object({
  id: Id,
  sn: z.string(),
  name: z.string(),
  status: stateOf(boatMachine),
  kind: z.enum(kinds),
  size: z.number(),
  share: z.number(),
  tags: z.array(z.string()),
  on: z.boolean(),
  seenAt: Moment.nullable(),
  createdAt: Moment,
  ...allowedActions,
});
export type Boat = z.infer<typeof Boat>;
const filters = {
  text: filter.text(),
  status: filter.exact(stateOf(boatMachine)),
  kind: filter.exact(z.enum(kinds)),
  createdAt: filter.moment(),
  seenAt: filter.moment(),
};
const Input = z.strictObject({
  name: Name,
  email: Email,
  kind: z.enum(kinds),
  size: z.int().min(1).max(100).default(10),
  tags: z.array(z.string().max(8)).max(5).optional(),
  on: z.boolean().default(true),
  expiresAt: z.iso.datetime().optional(),
  remark: Remark.default(''),
});

export const boatCalls = calls('gallery', '/__gallery', {
  page: call({ can: 'session', reads: true, input: pageQuery(filters, ['-createdAt', 'sn', 'name', 'size']), output: pageOf(Boat) }),
  detail: call({ can: 'session', reads: true, input: z.strictObject({ id: Id }), output: Boat }),
  add: call({ can: 'session', input: Input, output: Boat }),
  update: call({ can: 'session', input: Input.extend({ id: Id }), output: Boat }),
  delete: call({ can: 'session', input: z.strictObject({ id: Id }) }),
  disable: call({ can: 'session', input: bulkOf(criteriaOf(filters)), output: BulkOutcome }),
  export: call({
    can: 'session',
    input: z.strictObject({ criteria: criteriaOf(filters), format: z.enum(['xlsx', 'csv']), columns: z.array(z.string()) }),
  }),
});
