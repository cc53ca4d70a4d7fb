import { AlarmReceiver, alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { tryOut } from '../../kit/alarm-tested.ts';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { Sent } from './sent.tsx';

function usePeople(text: string, chosen: readonly (string | number)[]) {
  const found = useCall(alarmReceiverCalls.people, { text }, { keep: true });
  const missing = chosen.map(Number).filter((id) => !found.data?.some((one) => one.id === id));
  const named = useCall(alarmReceiverCalls.people, { ids: missing }, { enabled: missing.length > 0 });
  const people = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return {
    choices: people.map((one) => ({ value: one.id, label: { text: `${one.name} (${one.account})` }, about: { text: one.deptName } })),
    busy: found.fetching || named.fetching,
    madeOn: ['member'] as const,
  };
}

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
