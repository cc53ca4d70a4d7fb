import { z } from 'zod';
import { Clock } from '../device/messages.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Name, ref } from '../kit/schema.ts';
import { Params, RuleKind, scopes } from './conditions.ts';
import { Tested } from './receiver.ts';

/** Rules of one organisation. */
export const MOST_ALERT_RULES = 200;
export const alarmPriorities = ['1', '2', '3'] as const;
export const AlarmPriority = z.enum(alarmPriorities);
/** Besides the message centre, where everything is said. */
export const alarmChannels = ['popup', 'email'] as const;

const Minutes = z.int().min(0).max(1440).default(5);
const some = (entityName: string) => z.array(ref(entityName)).max(100).default([]);
export const ReceiverLists = z.array(ref('alarmReceiver')).max(20).default([]);
/** Until somebody takes it on; null: never. */
export const RepeatHours = z.int().min(1).max(168).nullable().default(null);
export const QuietTime = z.union([z.literal(''), Clock]).default('');

/** What an organisation wants to be told of its terminals and releases, and of those of all below it. */
export const AlertRule = entity(
  'alertRule',
  {
    name: field(Name, { sort: true, unique: 'ALERT_RULE_NAME_TAKEN' }),
    deptId: field(ref('dept'), { fixed: true, filter: true, help: true }),
    deptName: joined(z.string(), { text: 'alertRule.deptId' }),
    kind: field(RuleKind, { filter: true, names: 'alert.kind.' }),
    params: field(Params.default({})),
    scope: field(z.enum(scopes).default('all')),
    deptIds: field(some('dept')),
    groupIds: field(some('deviceGroup')),
    productIds: field(some('product')),
    priority: field(AlarmPriority.default('2'), { filter: true, names: 'alert.priority.' }),
    /** It has to be so, and to be over, for so long: what comes and goes raises nothing. */
    forMinutes: field(Minutes, { help: true }),
    clearMinutes: field(Minutes, { help: true }),
    receiverIds: field(ReceiverLists),
    channels: field(z.array(z.enum(alarmChannels)).max(2).default([]), { names: 'message.channel.' }),
    tellEnd: field(z.boolean().default(false)),
    repeatHours: field(RepeatHours, { help: true }),
    escalateMinutes: field(z.int().min(1).max(10_080).nullable().default(null), { help: true }),
    escalateIds: field(ReceiverLists),
    quietFrom: field(QuietTime, { help: true }),
    quietTo: field(QuietTime),
    /** Priority 1 is told in quiet hours too. */
    quietThrough: field(z.boolean().default(true)),
    enabled: field(z.boolean().default(true), { filter: true }),
    mutedUntil: read(Moment.nullable()),
    createdAt: read(Moment, { sort: true, text: 'device.createdAt' }),
  },
  { rowClass: 'owned', order: 'name', search: { text: ['name'] } },
);

/** Until a moment, or no longer. */
export const Until = z.iso.datetime().nullable();
const see = 'alert:alarm:page';
const can = <A extends string>(act: A) => `alert:rule:${act}` as const;
export const alertRuleCalls = calls('alert', '/alertPush/rule', {
  ...crud(AlertRule, { see, add: can('add'), update: can('update'), delete: can('delete') }, { faults: { add: ['ALERT_RULES_MANY'] } }),
  /** How many terminals it would raise an alarm for now, and the first of them. Of very many terminals the first 50,000 are looked at. */
  preview: call({
    can: see,
    reads: true,
    input: z.strictObject({
      deptId: ref('dept'),
      kind: RuleKind,
      params: Params.default({}),
      scope: z.enum(scopes).default('all'),
      deptIds: some('dept'),
      groupIds: some('deviceGroup'),
      productIds: some('product'),
    }),
    output: z.object({ seen: z.int(), met: z.int(), sns: z.array(z.string()), isAll: z.boolean() }),
  }),
  /** Meanwhile it raises no alarm and tells nobody. */
  mute: call({ can: can('update'), input: z.strictObject({ id: Id, until: Until }), output: AlertRule.row }),
  /** Says to its receivers, by its channels, what an alarm of it would say. */
  test: call({
    can: can('update'),
    input: z.strictObject({ id: Id }),
    output: Tested,
    tx: 'own',
    faults: ['ALERT_RULE_UNHEARD'],
  }),
});
