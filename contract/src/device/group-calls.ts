import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { BulkOutcome, criteriaOf, selectionOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Name, Remark, ref } from '../kit/schema.ts';
import { deviceCriteria, deviceFilters } from './calls.ts';

/** A terminal is in so many at most, and as many may be asked for at once. */
export const MOST_GROUPS = 200;
/** Groups by rule on the way from the platform down to any organisation: each page of terminals below asks all of them. */
export const MOST_RULES = 50;

/** Chosen one by one, or whoever meets a rule now. */
export const GroupKind = z.enum(['static', 'rule']);

const {
  deleted: _deleted,
  below: _below,
  groupId: _groupId,
  area: _area,
  cell: _cell,
  placed: _placed,
  failed: _failed,
  ...ruleFilters
} = deviceFilters;
/** A span that is open on both sides asks nothing. */
const asks = (one: unknown) =>
  one !== undefined && (typeof one !== 'object' || one === null || Object.values(one).some((part) => part !== undefined));
/** What the device list filters by, as far as a terminal itself says it: such a filter may be kept as a group. A rule over groups could go in a circle. */
export const GroupRule = criteriaOf(ruleFilters).refine((rule) => Object.values(rule).some(asks), { message: 'invalid.emptyRule' });
export type GroupRule = z.output<typeof GroupRule>;

/** Terminals of an organisation and of all below it, under a name: for lists and for releases. */
export const DeviceGroup = entity(
  'deviceGroup',
  {
    name: field(Name, { sort: true, unique: 'GROUP_NAME_TAKEN' }),
    kind: field(GroupKind, { fixed: true, filter: true }),
    rule: field(GroupRule.nullable().default(null)),
    deptId: field(ref('dept'), { fixed: true, filter: true, help: true }),
    deptName: joined(z.string(), { text: 'deviceGroup.deptId' }),
    /** Null of a rule: who meets it is counted where the group is opened. */
    members: joined(z.int().nullable()),
    /** What is for it, by its name where the reader may see that: as long as there is something, the group stays. */
    usedBy: joined(z.string().nullable()),
    remark: field(Remark.default('')),
    createdAt: read(Moment, { sort: true, text: 'device.createdAt' }),
  },
  { rowClass: 'owned', order: 'name', search: { text: ['name'] } },
);

const can = <A extends string>(act: A) => `device:group:${act}` as const;

/** Why a serial number of a list doesn't come into a group. */
export const snRefusals = ['wrong', 'twice', 'unknown', 'outside', 'full'] as const;
export const MOST_SNS = 20_000;

const many = (act: string) =>
  call({
    can: can('update'),
    input: z.strictObject({ of: selectionOf(deviceCriteria), groupId: ref('deviceGroup'), preview: z.boolean().default(false) }),
    output: BulkOutcome,
    faults: ['GROUP_BY_RULE'],
    tx: 'own',
    about: act,
  });

export const deviceGroupCalls = calls('device', '/device/group', {
  ...crud(
    DeviceGroup,
    { see: can('page'), add: can('add'), update: can('update'), delete: can('delete') },
    { faults: { add: ['GROUP_RULES_MANY'], delete: ['GROUP_IN_USE', 'USED_UNSEEN'] } },
  ),
  /** Those that may be chosen, and those that were: at most 200. */
  list: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ text: z.string().trim().max(64).default(''), ids: z.array(Id).max(MOST_GROUPS).optional() }),
    output: z.array(z.object({ id: Id, name: z.string(), kind: GroupKind, deptName: z.string() })),
  }),
  addMembers: many('Terminals of the range of the group’s organisation come into it; of those that are in it already nothing changes.'),
  removeMembers: many('Terminals leave the group.'),
  addSns: call({
    can: can('update'),
    input: z.strictObject({
      groupId: ref('deviceGroup'),
      sns: z.array(z.string().max(64)).min(1).max(MOST_SNS),
      /** The others come in although some are refused; without it none does. */
      anyway: z.boolean().default(false),
    }),
    output: z.object({
      added: z.int(),
      already: z.int(),
      refused: z.int(),
      /** The first 200 of them. */
      problems: z.array(z.object({ sn: z.string(), reason: z.enum(snRefusals) })),
    }),
    faults: ['GROUP_BY_RULE'],
  }),
  preview: call({
    can: can('page'),
    reads: true,
    input: z
      .strictObject({ deptId: ref('dept').optional(), groupId: ref('deviceGroup').optional(), rule: GroupRule })
      .refine((it) => (it.deptId === undefined) !== (it.groupId === undefined), { path: ['deptId'], message: 'invalid.required' }),
    output: z.object({ total: z.int(), capped: z.boolean() }),
    about: 'How many terminals of an organisation, or of the one of a group, meet a rule now.',
  }),
});
