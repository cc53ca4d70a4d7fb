import type { TaskDetail, TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import { allows } from '../../kit/allows.ts';
import type { RowAction, RowOf } from '../../kit/list/types.ts';
import { WayBack } from './way-back.tsx';

const BACK = ['3', '6'];
const back = { key: 'revert', label: 'firmware.task.revert', icon: 'back', allowedAction: 'revert' } as const;

interface Of<R> {
  row: R;
  onClose: () => void;
}
type Result = RowOf<TaskDeviceCalls['page']>;
const OfTask = ({ row, onClose }: Of<TaskDetail>) => <WayBack row={row} of={{}} onClose={onClose} />;
const OfDevice = ({ row: { taskId, deviceId, sn }, onClose }: Of<Result>) => (
  <WayBack row={{ id: taskId }} of={{ deviceId, sn }} onClose={onClose} />
);

/** The updated terminals get what they had before: as releases of their own, to be looked at first. */
export const revertTask: RowAction<TaskDetail> = { ...back, Dialog: OfTask };

/** The same for a ring of it. */
export const mayRevertRing = (row: TaskDetail, ring: TaskDetail['rings'][number]): boolean =>
  allows(row, back.allowedAction) && BACK.some((code) => (ring.tally[code] ?? 0) > 0);

/** And for one terminal of it. */
export const revertDevice: RowAction<Result> = { ...back, Dialog: OfDevice };
