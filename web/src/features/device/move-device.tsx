import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { BulkDialog } from '../../kit/list/bulk.tsx';
import { moveMany } from './device-acts.ts';

const action = { ...moveMany, label: 'device.move' } as const;

/** The same dialog as for many, with one terminal chosen. */
export const MoveDevice = ({ row, onClose }: { row: DeviceDetail; onClose: () => void }) => (
  <BulkDialog action={action} of={{ ids: [row.id] }} count={1} capped={false} onClose={onClose} onDone={() => {}} />
);
