import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { asked, field, joined, read } from '../kit/field.ts';
import { crud, picker } from '../kit/resource-calls.ts';
import { address, ById, Id, Moment, Name, Remark, ref, secret } from '../kit/schema.ts';
import { deliveryCalls, TlsAddress } from '../settings/webhook-calls.ts';
import { Email } from '../shared/patterns.ts';

export const MOST_PEOPLE = 200;
export const MOST_ADDRESSES = 20;

/** People, and addresses outside, that hear of alarms together. */
export const AlarmReceiver = entity(
  'alarmReceiver',
  {
    name: field(Name, { sort: true, unique: 'ALARM_RECEIVER_NAME_TAKEN' }),
    deptId: field(ref('dept'), { fixed: true, filter: true, help: true }),
    deptName: joined(z.string(), { text: 'alarmReceiver.deptId' }),
    userIds: field(z.array(ref('user')).max(MOST_PEOPLE).default([]), { help: true }),
    /** The first of them by name. */
    people: joined(z.string(), { text: 'alarmReceiver.userIds' }),
    emails: field(z.array(Email).max(MOST_ADDRESSES).default([]), { help: true }),
    /** Whole for those who may edit it; its path may open something there. */
    webhookUrl: field(address(z.union([z.literal(''), TlsAddress])).default(''), { help: true }),
    webhookSecret: asked(secret(z.string().trim().max(256)).default(''), { help: true }),
    /** Under which what was sent to its address is listed. */
    webhookId: joined(Id.nullable(), { text: 'alarmReceiver.webhookUrl' }),
    /** Nothing got through to it since then. */
    failingSince: joined(Moment.nullable()),
    remark: field(Remark.default('')),
    createdAt: read(Moment, { sort: true, text: 'device.createdAt' }),
  },
  { rowClass: 'owned', order: 'name', search: { text: ['name'] } },
);

/** What one address of another system answered to a test. */
const Answered = z.object({ name: z.string(), status: z.int().nullable(), error: z.string().nullable(), tookMs: z.int().nullable() });
/** Whom a test reached. */
export const Tested = z.object({
  people: z.int(),
  mails: z.int(),
  webhooks: z.array(Answered),
  /** Those of organisations above: they got it, and what they answered is theirs to see. */
  unseen: z.int(),
});

const see = 'alert:alarm:page';
const edit = 'alert:receiver:edit';
export const alarmReceiverCalls = calls('alert', '/alarmReceiverConfig', {
  ...crud(
    AlarmReceiver,
    { see, add: edit, update: edit, delete: edit },
    {
      faults: {
        add: ['ALARM_RECEIVER_EMPTY', 'ADDRESS_NOT_PUBLIC'],
        update: ['ALARM_RECEIVER_EMPTY', 'ADDRESS_NOT_PUBLIC'],
        delete: ['ALARM_RECEIVER_IN_USE', 'USED_UNSEEN'],
      },
      waits: true,
    },
  ),
  list: picker(AlarmReceiver, ['name', 'deptName']),
  /** People of the scope, for the form. */
  people: call({
    can: edit,
    reads: true,
    input: z.strictObject({ text: z.string().max(64).default(''), ids: z.array(z.int()).max(MOST_PEOPLE).optional() }),
    output: z.array(z.object({ id: Id, name: z.string(), account: z.string(), deptName: z.string() })),
  }),
  /** Says something to everybody on the list at once, by message, by mail and to its address, and what that answered. */
  test: call({ can: edit, input: ById, output: Tested, tx: 'own' }),
  /** What was sent to its address, what came of it, and once more. */
  ...deliveryCalls(see, edit),
});
