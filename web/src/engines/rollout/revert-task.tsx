import type { TaskDetail, TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { RowAction, RowOf } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import type { ReleaseKind } from './release-kind.ts';
import { WayBack } from './way-back.tsx';

const BACK = ['3', '6'];
const label = 'firmware.task.revert';

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
export const revertTask = (kind: ReleaseKind): RowAction<TaskDetail> => ({
  key: 'revert',
  label,
  icon: 'back',
  when: (row) => mayCall(kind.calls.tasks.add) && BACK.some((code) => (row.tally[code] ?? 0) > 0),
  Dialog: OfTask,
});

/** The same for a ring of it. */
export const mayRevertRing = (kind: ReleaseKind, ring: TaskDetail['rings'][number]): boolean =>
  mayCall(kind.calls.tasks.add) && BACK.some((code) => (ring.tally[code] ?? 0) > 0);

/** And for one terminal of it. */
export const revertDevice = (kind: ReleaseKind): RowAction<Result> => ({
  key: 'revert',
  label,
  icon: 'back',
  when: ({ state }) => mayCall(kind.calls.tasks.add) && BACK.includes(state),
  Dialog: OfDevice,
});
