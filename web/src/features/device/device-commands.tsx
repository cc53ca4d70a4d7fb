import { deviceCalls } from '@mooring/contract/device/calls';
import { commandKinds, thingCommands } from '@mooring/contract/device/commands';
import type { DeviceCommand, DeviceDetail } from '@mooring/contract/device/schemas';
import { commandMachine } from '@mooring/contract/device/state-machines';
import { useState } from 'react';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { IconButton } from '../../ui/button.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { hasText, t, useT } from '../../ui/words.ts';

/** A log may be long; it is read in a drawer. */
function Output({ row }: { row: DeviceCommand }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (row.output === null) return <>{row.message ?? row.reason ?? ''}</>;
  const text = typeof row.output === 'string' ? row.output : JSON.stringify(row.output, null, 2);
  return (
    <>
      <IconButton small icon="file" label={t('device.command.output')} onClick={() => setOpen(true)} />
      <Drawer open={open} title={t('device.command.output')} onClose={() => setOpen(false)} width={720}>
        <pre className="m-mono m-small" dir="ltr">
          {text}
        </pre>
      </Drawer>
    </>
  );
}

type Row = RowOf<typeof deviceCalls.commands>;
const spec: ListSpec<typeof deviceCalls.commands> = {
  code: 'device.commands',
  title: 'device.tab.commands',
  call: deviceCalls.commands,
  export: deviceCalls.exportCommands,
  columns: [
    { key: 'kind', title: 'device.command.kind', kind: 'name', names: 'device.command.', width: 150 },
    { key: 'state', title: 'device.status', kind: 'state', machine: commandMachine, width: 120 },
    { key: 'createdAt', title: 'device.createdAt', kind: 'moment', sort: true, width: 170 },
    { key: 'sentAt', title: 'device.command.sentAt', kind: 'moment', width: 170 },
    { key: 'answeredAt', title: 'device.command.answeredAt', kind: 'moment', width: 170 },
    { key: 'attempts', title: 'device.command.attempts', kind: 'number', width: 100 },
    { key: 'by', title: 'device.command.by', width: 130 },
    { key: '_output', title: 'device.command.output', width: 160, cell: (row: Row) => <Output row={row} /> },
    { key: 'expiresAt', title: 'device.command.expiresAt', kind: 'moment', off: true },
  ],
  filters: [
    { field: 'state', label: 'device.status', machine: commandMachine },
    {
      field: 'kind',
      label: 'device.command.kind',
      choices: [...commandKinds, ...thingCommands].map((kind) => ({ value: kind, label: `device.command.${kind}` as const })),
    },
  ],
  rowActions: [
    rowAction(deviceCalls.withdraw, {
      successText: 'device.done.commandWithdrawn',
      label: 'event.deviceCommand.withdraw',
      allowedAction: 'withdraw',
    }),
  ],
  nameOf: ({ kind }) => {
    const key = `device.command.${kind}`;
    return hasText(key) ? t(key) : kind;
  },
  empty: { title: 'device.command.empty' },
};

export const DeviceCommands = ({ row }: { row: DeviceDetail }) => <ListView spec={spec} fixed={{ deviceId: row.id }} queryPrefix="c." />;
