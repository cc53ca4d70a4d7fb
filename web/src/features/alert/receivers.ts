import { AlarmReceiver, alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { tryOut } from '../../kit/alarm-tested.ts';
import { usePeopleBy } from '../../kit/choices.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { Sent } from './sent.tsx';

const usePeople = (text: string, chosen: readonly (string | number)[]) => usePeopleBy(alarmReceiverCalls.people, text, chosen);

export const receiverForm = formDialogs(AlarmReceiver, alarmReceiverCalls, {
  fields: [
    'name',
    'deptId',
    { name: 'userIds', kind: 'multi', useChoices: usePeople },
    { name: 'emails', kind: 'tags' },
    { name: 'webhookUrl', kind: 'text' },
    { name: 'webhookSecret', kind: 'password', unmarked: true, when: ({ webhookUrl }) => (webhookUrl ?? '') !== '' },
    'remark',
  ],
});

export const receivers = listOf(AlarmReceiver, alarmReceiverCalls, {
  code: 'alert.receivers',
  columns: [
    { key: 'name', width: 180, pinned: 'left' },
    { key: 'people', width: 200 },
    { key: 'emails', width: 200 },
    { key: 'webhookUrl', kind: 'code', width: 200 },
    { key: 'failingSince', width: 190 },
    { key: 'deptName', width: 150 },
    off('remark'),
    off('createdAt'),
  ],
  Add: receiverForm.Add,
  edit: receiverForm.edit,
  rowActions: [
    { key: 'test', label: 'alertRule.test', icon: 'send', allowedAction: 'test', run: (row) => void tryOut(alarmReceiverCalls.test, row) },
  ],
  deleting: { text: 'alarmReceiver.delete.about' },
  emptyText: 'alarmReceiver.emptyText',
  slots: { aside: Sent },
});
