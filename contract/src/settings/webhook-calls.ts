import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { type Can, call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, Name, ref, revises, revision } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { webhookMachine } from './state-machines.ts';

/** `<life>.<event>`, `<life>.*` or `*`; the state machines are those of docs/state-machines. */
const EventFilter = z
  .string()
  .trim()
  .regex(/^(\*|[a-z][A-Za-z]*\.(\*|[a-z][A-Za-z]*))$/, 'invalid.event');

/** Over TLS alone, for what organisations enter. Secrets belong into their own field: an address stands in lists and in the log. */
export const TlsAddress = z
  .url({ protocol: /^https$/, error: 'invalid.webhookAddress' })
  .max(512)
  .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), 'invalid.urlSecret');

/** An address that hears of changes in a department and all below it. */
export const Webhook = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  deptId: Id,
  deptName: z.string(),
  /** Nothing got through since then. */
  failingSince: Moment.nullable(),
  /** When it is tried next, where nothing gets through, and why it last failed. */
  nextAt: Moment.nullable(),
  error: z.string().nullable(),
  createdAt: Moment,
  ...revision,
  ...allowedActions,
});
export const Delivery = z.object({
  id: Id,
  eventId: z.string(),
  event: z.string(),
  state: stateOf(webhookMachine),
  attempts: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  tookMs: z.int().nullable(),
  /** Null for who may not see the audit log, where it is an entry of it. */
  body: z.string().nullable(),
  nextAt: Moment.nullable(),
  createdAt: Moment,
  endedAt: Moment.nullable(),
  ...allowedActions,
});
const see = 'settings:webhook:page';
const can = 'settings:webhook:update';
const fields = {
  name: Name,
  url: z.url({ protocol: /^https?$/ }).max(512),
  events: z.array(EventFilter).min(1).max(50),
  deptId: ref('dept'),
  enabled: z.boolean().default(true),
};
const filters = { text: filter.text(), enabled: z.boolean() };
const deliveryFilters = { webhookId: Id, state: filter.exact(stateOf(webhookMachine)), event: filter.text(), createdAt: filter.moment() };
const faults = ['ADDRESS_NOT_PUBLIC'];

/** What was sent to an address, what came of it, and once more. */
export const deliveryCalls = (see: Can, can: Can) => ({
  deliveries: call({ can: see, reads: true, input: pageQuery(deliveryFilters, ['-createdAt']), output: pageOf(Delivery) }),
  exportDeliveries: exporting(see, criteriaOf(deliveryFilters)),
  replay: call({ can, input: ById, output: Delivery }),
});

export const webhookCalls = calls('settings', '/sysSetting/webhook', {
  page: call({
    can: see,
    reads: true,
    input: pageQuery(filters, ['name', '-createdAt']),
    output: pageOf(Webhook),
  }),
  export: exporting(see, criteriaOf(filters)),
  detail: call({ can: see, reads: true, input: ById, output: Webhook }),
  /** The secret that signs is in this answer only. */
  add: call({ can, tx: 'own', input: z.strictObject(fields), output: z.object({ secret: z.string(), row: Webhook }), faults }),
  update: call({ can, tx: 'own', input: z.strictObject({ id: Id, ...revises('webhook'), ...fields }), output: Webhook, faults }),
  newSecret: call({ can, input: ById, output: z.object({ secret: z.string() }) }),
  delete: call({ can, input: ById }),
  /** Sends a `webhook.test` at once. */
  test: call({ can, input: ById, output: Delivery }),
  ...deliveryCalls(see, can),
  /** What may be chosen as an event. */
  events: call({ can: see, reads: true, output: z.array(z.object({ life: z.string(), events: z.array(z.string()) })) }),
});
