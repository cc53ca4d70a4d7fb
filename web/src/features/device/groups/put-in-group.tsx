import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { BulkDialog } from '../../../kit/list/bulk.tsx';
import { bulkAct } from '../../../kit/list/types.ts';
import { intoGroup } from '../device-acts.ts';

const action = bulkAct(deviceGroupCalls.addMembers, { successText: 'device.done.groupedMany', label: 'deviceGroup.put', form: intoGroup });

/** The same dialog as for many, with one terminal chosen. */
export const PutInGroup = ({ row, onClose }: { row: DeviceDetail; onClose: () => void }) => (
  <BulkDialog action={action} of={{ ids: [row.id] }} count={1} capped={false} onClose={onClose} onDone={() => {}} />
);
