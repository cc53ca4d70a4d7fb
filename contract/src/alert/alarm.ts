import { z } from 'zod';
import { type Can, call, calls } from '../kit/call.ts';
import { type AnyEntity, entity } from '../kit/entity.ts';
import { exporting } from '../kit/export.ts';
import { asked, joined, read, state } from '../kit/field.ts';
import { BulkOutcome, pageOf, selectionOf } from '../kit/page.ts';
import { ById, Day, Id, Moment, ref } from '../kit/schema.ts';
import { ConditionKind } from './conditions.ts';
import { AlarmPriority, Until } from './rule.ts';
import { alarmMachine } from './state-machines.ts';

/** What a rule found: one at most is open for a rule and what it is about. */
export const Alarm = entity(
  'alarm',
  {
    /** The SN of a terminal, or what a release is called. */
    label: read(z.string(), { code: true }),
    state: state(alarmMachine, { filter: true }),
    priority: read(AlarmPriority, { filter: true, names: 'alert.priority.' }),
    kind: read(ConditionKind, { filter: true, names: 'alert.kind.' }),
    /** Figures and names for `alert.what.<kind>`. */
    about: read(z.record(z.string(), z.union([z.string(), z.number()]))),
    ruleId: read(Id, { filter: true, text: 'alarm.ruleName' }),
    ruleName: read(z.string()),
    deviceId: read(Id.nullable(), { filter: true, text: 'alarm.label' }),
    productId: read(Id.nullable(), { filter: true, text: 'alarm.productName' }),
    productName: joined(z.string().nullable()),
    merchantName: joined(z.string().nullable()),
    deptId: read(Id, { filter: true, text: 'alarm.deptName' }),
    deptName: joined(z.string()),
    /** Of this organisation or of one below it. */
    below: asked(ref('dept').optional(), { fixed: true, filter: true, text: 'device.below' }),
    figure: read(z.number().nullable()),
    threshold: read(z.number().nullable()),
    /** How often it came; it had gone in between for too short a time to be over. */
    count: read(z.int()),
    level: read(z.int()),
    openedAt: read(Moment, { sort: true, filter: true }),
    lastAt: read(Moment, { sort: true }),
    acknowledgedBy: read(z.string()),
    acknowledgedAt: read(Moment.nullable()),
    closedBy: read(z.string()),
    closedAt: read(Moment.nullable()),
    note: read(z.string()),
    mutedUntil: joined(Moment.nullable()),
  },
  { rowClass: 'owned', order: '-openedAt', search: { text: ['label', 'ruleName'] } },
);

const see = 'alert:alarm:page';
const can = 'alert:alarm:handle';
const Note = z.string().trim().max(500).default('');
const One = z.strictObject({ id: Id, note: Note });
/** What people do with alarms, whichever list shows them. */
export function alarmActs<E extends AnyEntity>(of: E, can: Can) {
  const one = call({ can, input: One, output: of.row as E['row'] });
  const Many = z.strictObject({ of: selectionOf(of.criteria as E['criteria']), note: Note, preview: z.boolean().default(false) });
  const many = call({ can, input: Many, output: BulkOutcome, tx: 'own' });
  return { acknowledge: one, close: one, acknowledgeMany: many, closeMany: many };
}

export const AlarmDays = z.enum(['7', '30', '90']);
const Named = z.array(z.object({ id: Id, name: z.string(), count: z.int() }));

export const alarmCalls = calls('alert', '/alertPush', {
  page: call({ can: see, reads: true, input: Alarm.query, output: pageOf(Alarm.row) }),
  detail: call({ can: see, reads: true, input: ById, output: Alarm.row }),
  export: exporting(see, Alarm.criteria),
  ...alarmActs(Alarm, can),
  /** No rule raises an alarm of this terminal meanwhile, and those that are open aren't told again. */
  muteDevice: call({ can, input: z.strictObject({ deviceId: ref('device'), until: Until }) }),
  /** How many there are now, and the newest: for the first screen. */
  summary: call({
    can: see,
    reads: true,
    /** With `days` it says how many were raised within them. */
    input: z.strictObject({ deptId: ref('dept').optional(), productId: Id.optional(), days: z.enum(['1', '7', '30']).optional() }),
    output: z.object({
      raised: z.object({ total: z.int(), capped: z.boolean() }).nullable(),
      open: z.int(),
      acknowledged: z.int(),
      capped: z.boolean(),
      newest: z.array(Alarm.row),
    }),
  }),
  /** How many were raised, by day, rule and product. */
  statistic: call({
    can: see,
    reads: true,
    input: z.strictObject({ days: AlarmDays.default('30') }),
    output: z.object({
      days: z.array(z.object({ day: Day, high: z.int(), medium: z.int(), low: z.int() })),
      rules: Named,
      products: Named,
    }),
  }),
});
