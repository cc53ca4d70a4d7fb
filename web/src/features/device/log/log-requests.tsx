import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import { commandMachine } from '@mooring/contract/device/state-machines';
import { useTerminals } from '../../../kit/choices.ts';
import type { ListSpec, RowOf } from '../../../kit/list/types.ts';
import { useLooseT } from '../../../ui/words.ts';

type Row = RowOf<typeof deviceLogCalls.requests>;

function Why({ reason }: { reason: string | null }) {
  const loose = useLooseT();
  return <>{reason === null ? '' : loose(`reason.${reason}`, reason)}</>;
}

/** What became of asking for logs. */
export const logRequests: ListSpec<typeof deviceLogCalls.requests> = {
  code: 'device.logRequests',
  title: 'deviceLog.requests',
  call: deviceLogCalls.requests,
  export: deviceLogCalls.exportRequests,
  nameOf: (row) => row.sn,
  // Terminals answer when they can.
  every: (rows) => (rows.some(({ state }) => state === 'waiting' || state === 'sent') ? 5 : undefined),
  // Its terminal's log is where the lines have come.
  columns: [
    { key: 'sn', title: 'deviceLog.sn', kind: 'code', width: 145, link: (row) => `/device/logs?deviceId=${row.deviceId}` },
    { key: 'state', title: 'deviceLog.request.state', kind: 'state', machine: commandMachine, width: 145 },
    { key: 'lines', title: 'deviceLog.request.arrived', kind: 'number', width: 120 },
    { key: 'level', title: 'deviceLog.request.level', kind: 'name', names: 'deviceLog.level.', width: 120 },
    { key: 'from', title: 'deviceLog.request.from', kind: 'moment', width: 170 },
    { key: 'to', title: 'deviceLog.request.to', kind: 'moment', width: 170 },
    { key: 'createdAt', title: 'deviceLog.request.createdAt', kind: 'moment', sort: true, width: 170 },
    { key: 'by', title: 'deviceLog.request.by', width: 130 },
    { key: '_why', title: 'deviceLog.request.why', width: 150, cell: (row: Row) => <Why reason={row.reason} /> },
    { key: 'sentAt', title: 'device.command.sentAt', kind: 'moment', off: true },
    { key: 'answeredAt', title: 'device.command.answeredAt', kind: 'moment', off: true },
    { key: 'expiresAt', title: 'device.command.expiresAt', kind: 'moment', off: true },
  ],
  filters: [
    { field: 'deviceId', label: 'deviceLog.sn', useChoices: useTerminals },
    { field: 'state', label: 'deviceLog.request.state', machine: commandMachine },
    { field: 'createdAt', label: 'deviceLog.request.createdAt' },
  ],
  empty: { title: 'deviceLog.request.none', text: 'deviceLog.request.noneText', icon: 'terminalLog' },
};
