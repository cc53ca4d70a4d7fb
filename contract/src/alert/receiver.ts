import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud, picker } from '../kit/resource-calls.ts';
import { ById, Id, Moment, Name, Remark, ref } from '../kit/schema.ts';
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
    remark: field(Remark.default('')),
    createdAt: read(Moment, { sort: true, text: 'device.createdAt' }),
  },
  { rowClass: 'owned', order: 'name', search: { text: ['name'] } },
);

const see = 'alert:alarm:page';
const edit = 'alert:receiver:edit';
export const alarmReceiverCalls = calls('alert', '/alarmReceiverConfig', {
  ...crud(
    AlarmReceiver,
    { see, add: edit, update: edit, delete: edit },
    { faults: { add: ['ALARM_RECEIVER_EMPTY'], update: ['ALARM_RECEIVER_EMPTY'], delete: ['ALARM_RECEIVER_IN_USE'] } },
  ),
  list: picker(AlarmReceiver, ['name', 'deptName']),
  /** People of the scope, for the form. */
  people: call({
    can: edit,
    reads: true,
    input: z.strictObject({ text: z.string().max(64).default(''), ids: z.array(z.int()).max(MOST_PEOPLE).optional() }),
    output: z.array(z.object({ id: Id, name: z.string(), account: z.string(), deptName: z.string() })),
  }),
  /** Says something to everybody on the list at once, by message and by mail. */
  test: call({ can: edit, input: ById, output: z.object({ people: z.int(), mails: z.int() }) }),
});
