import { deviceCalls } from '@mooring/contract/device/calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { BulkDialog } from '../../kit/list/bulk.tsx';
import { bulkAct } from '../../kit/list/types.ts';
import { commandForm } from './device-acts.ts';

const action = bulkAct(deviceCalls.command, { successText: 'device.done.commandMany', label: 'device.command.send', form: commandForm });

/** The same dialog as for many, with one device chosen. */
export const SendCommand = ({ row, onClose }: { row: DeviceDetail; onClose: () => void }) => (
  <BulkDialog action={action} of={{ ids: [row.id] }} count={1} capped={false} onClose={onClose} onDone={() => {}} />
);
