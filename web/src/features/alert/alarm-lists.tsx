import { Alarm, alarmCalls } from '@mooring/contract/alert/alarm';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { alarmMachine } from '@mooring/contract/alert/state-machines';
import { Priority } from '../../kit/alarm-priority.tsx';
import { useDepts, useProducts, useTerminals } from '../../kit/choices.ts';
import { bulkAct, type ListSpec, type RowAction, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { AlarmPanel, handling } from './alarm-panel.tsx';
import { type AlarmRow, What } from './alarm-words.tsx';
import { isMuted, later, until } from './muting.ts';

function useRules(text: string) {
  const found = useCall(alertRuleCalls.page, { criteria: text === '' ? {} : { text }, page: { size: 50 } }, { keep: true });
  return { choices: (found.data?.content ?? []).map((one) => ({ value: one.id, label: { text: one.name } })), busy: found.fetching };
}

const rowActions: readonly RowAction<AlarmRow>[] = [
  ...handling,
  rowAction(alarmCalls.muteDevice, {
    key: 'mute',
    label: 'alarm.mute',
    icon: 'pause',
    allowedAction: 'muteDevice',
    when: (row) => row.deviceId !== null && !isMuted(row),
    input: ({ deviceId }) => ({ deviceId: deviceId ?? 0, until: later() }),
    form: until,
    successText: 'alarm.muted',
  }),
  rowAction(alarmCalls.muteDevice, {
    key: 'unmute',
    label: 'alarm.unmute',
    allowedAction: 'muteDevice',
    when: (row) => row.deviceId !== null && isMuted(row),
    input: ({ deviceId }) => ({ deviceId: deviceId ?? 0, until: null }),
    successText: 'alarm.unmuted',
  }),
];
const note = { fields: [{ name: 'note', label: 'alarm.note', kind: 'area' }], initial: { note: '' } } as const;
const bulk = [
  bulkAct(alarmCalls.acknowledgeMany, {
    label: 'alarm.acknowledgeMany',
    successText: 'alarm.acknowledgedMany',
    icon: 'check',
    form: note,
  }),
  bulkAct(alarmCalls.closeMany, { label: 'alarm.closeMany', successText: 'alarm.closedMany', text: 'alarm.close.about', form: note }),
];

const alarms = listOf(Alarm, alarmCalls, {
  code: 'alert.alarms',
  texts: { add: 'alarm.title', edit: 'alarm.title', delete: 'alarm.title' },
  columns: [
    { key: 'label', width: 180, pinned: 'left' },
    { key: 'priority', width: 120, cell: (row) => <Priority of={row.priority} /> },
    { key: 'about', width: 290, cell: (row) => <What row={row} /> },
    { key: 'state', width: 130 },
    { key: 'openedAt', width: 130, kind: 'ago' },
    { key: 'ruleName', width: 170 },
    { key: 'deptName', width: 170 },
    { key: 'productName', width: 150 },
    off('merchantName'),
    off('kind'),
    off('figure'),
    off('threshold'),
    off('count'),
    off('lastAt'),
    off('level'),
    off('acknowledgedBy'),
    off('acknowledgedAt'),
    off('closedBy'),
    off('closedAt'),
    off('note'),
  ],
  nameOf: (row) => row.label,
  rowActions,
  bulk,
  slots: { aside: AlarmPanel },
}) as ListSpec<typeof alarmCalls.page>;

const filters = [
  { field: 'priority', label: 'alarm.priority', names: 'alert.priority.' },
  { field: 'kind', label: 'alarm.kind', names: 'alert.kind.' },
  { field: 'ruleId', label: 'alarm.ruleName', useChoices: useRules },
  { field: 'deptId', label: 'alarm.deptName', useChoices: useDepts },
  { field: 'below', label: 'device.below', kind: 'one', useChoices: useDepts },
  { field: 'productId', label: 'alarm.productName', useChoices: useProducts },
  { field: 'deviceId', label: 'alarm.label', useChoices: useTerminals },
  { field: 'openedAt', label: 'alarm.openedAt' },
] as const;

/** Those that somebody should act on, live. */
export const current: ListSpec<typeof alarmCalls.page> = {
  ...alarms,
  filters: [...filters],
  empty: { title: 'alarm.empty', text: 'alarm.emptyText', icon: 'done' },
};
export const CURRENT = { state: { in: ['open', 'acknowledged'] } };

export const history: ListSpec<typeof alarmCalls.page> = {
  ...alarms,
  code: 'alert.history',
  filters: [{ field: 'state', label: 'alarm.state', machine: alarmMachine }, ...filters],
  empty: { title: 'alarm.historyEmpty', icon: 'alarm' },
};

/** Of one terminal, inside of its page. */
export const ofDevice: ListSpec<typeof alarmCalls.page> = {
  ...history,
  code: 'alert.ofDevice',
  filters: (history.filters ?? []).filter(
    ({ field }) => field !== 'deviceId' && field !== 'productId' && field !== 'deptId' && field !== 'below',
  ),
};
