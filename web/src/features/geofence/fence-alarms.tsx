import { alarmMachine } from '@mooring/contract/alert/state-machines';
import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { GeofenceAlarm, geofenceAlarmCalls } from '@mooring/contract/geofence/geofence-alarm';
import type { RowOf } from '@mooring/contract/kit/entity';
import { Priority } from '../../kit/alarm-priority.tsx';
import { useDepts, useTerminals } from '../../kit/choices.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { bulkAct, type ListSpec, ofRow, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { useT } from '../../ui/words.ts';

type AlarmRow = RowOf<typeof GeofenceAlarm>;

function useFences(text: string) {
  const found = useCall(geofenceCalls.page, { criteria: text === '' ? {} : { text }, page: { size: 50 } }, { keep: true });
  return { choices: (found.data?.content ?? []).map((one) => ({ value: one.ruleId, label: { text: one.name } })), busy: found.fetching };
}

function What({ row }: { row: AlarmRow }) {
  return useT()('alert.what.geofence', row.about);
}
const note = { fields: [{ name: 'note', label: 'alarm.note', kind: 'area' }], initial: { note: '' } } as const;

const alarms: ListSpec<typeof geofenceAlarmCalls.page> = {
  ...(listOf(GeofenceAlarm, geofenceAlarmCalls, {
    code: 'geofence.alarms',
    texts: { add: 'geofenceAlarm.title', edit: 'geofenceAlarm.title', delete: 'geofenceAlarm.title' },
    columns: [
      { key: 'label', width: 180, pinned: 'left' },
      { key: 'priority', width: 110, cell: (row) => <Priority of={row.priority} /> },
      { key: 'about', width: 260, cell: (row) => <What row={row} /> },
      { key: 'state', width: 130 },
      { key: 'openedAt', width: 140, kind: 'ago' },
      { key: 'deptName', width: 170 },
      { key: 'acknowledgedBy', width: 150 },
      { key: 'reason', width: 190 },
      off('ruleName'),
      off('acknowledgedAt'),
      off('closedBy'),
      off('closedAt'),
      off('note'),
    ],
    nameOf: (row) => row.label,
    open: (row) => `/device/deviceDetail/${row.deviceId ?? 0}`,
    rowActions: ofRow<AlarmRow>([
      rowAction(geofenceAlarmCalls.acknowledge, {
        label: 'alarm.acknowledge',
        icon: 'check',
        form: ['note'],
        successText: 'alarm.acknowledged',
      }),
      rowAction(geofenceAlarmCalls.close, {
        label: 'alarm.close',
        icon: 'close',
        form: { fields: ['note'], about: 'geofenceAlarm.close.about' },
        successText: 'alarm.closed',
      }),
    ]),
    bulk: [
      bulkAct(geofenceAlarmCalls.acknowledgeMany, {
        label: 'alarm.acknowledgeMany',
        successText: 'alarm.acknowledgedMany',
        icon: 'check',
        form: note,
      }),
      bulkAct(geofenceAlarmCalls.closeMany, {
        label: 'alarm.closeMany',
        successText: 'alarm.closedMany',
        text: 'geofenceAlarm.close.about',
        form: note,
      }),
    ],
  }) as ListSpec<typeof geofenceAlarmCalls.page>),
  filters: [
    { field: 'state', label: 'alarm.state', machine: alarmMachine },
    { field: 'priority', label: 'alarm.priority', names: 'alert.priority.' },
    { field: 'ruleId', label: 'geofenceAlarm.ruleName', useChoices: useFences },
    { field: 'deviceId', label: 'geofenceAlarm.label', useChoices: useTerminals },
    { field: 'deptId', label: 'alarm.deptName', useChoices: useDepts },
    { field: 'openedAt', label: 'alarm.openedAt' },
  ],
  empty: { title: 'geofenceAlarm.empty', text: 'geofenceAlarm.emptyText', icon: 'done' },
};

export const FenceAlarms = () => <ListView spec={alarms} queryPrefix="g." />;
