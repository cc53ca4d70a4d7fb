import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { packagePath } from './package-actions.ts';
import { revertTask } from './revert-task.ts';
import { taskActions } from './task-actions.ts';
import { TaskCurve } from './task-curve.tsx';
import { TaskDevices } from './task-devices.tsx';
import { type Detail, TaskHead } from './task-head.tsx';
import { openRing } from './task-rings.tsx';
import { TaskSettings } from './task-settings.tsx';

/** Every failed device of the task goes out again. */
const retryFailed = rowAction(taskDeviceCalls.retry, {
  successText: 'done.retried',
  label: 'firmware.task.retryAll',
  icon: 'retry',
  when: (row: Detail) =>
    ['running', 'paused', 'finished'].includes(row.state) && ['4', '5', '7'].some((code) => (row.tally[code] ?? 0) > 0),
  input: (row: Detail) => ({ of: { criteria: { taskId: row.id, state: { in: ['4', '5', '7'] } } } }),
});

export const taskDetail = detailPage({
  call: taskCalls.detail,
  nameOf: (row) => row.name,
  state: { machine: taskMachine, of: (row) => row.state },
  facts: [
    {
      key: '_package',
      title: 'firmware.task.package',
      cell: (row) => {
        const name = `${row.package.productName} ${row.package.version} (${row.package.kind})`;
        return row.package.deleted || !mayCall(packageCalls.detail) ? name : <Link to={packagePath(row.package)}>{name}</Link>;
      },
    },
    { key: 'taskClass', title: 'firmware.task.class', kind: 'name', names: 'firmware.task.class.' },
    { key: 'releaseScope', title: 'firmware.task.scope', kind: 'name', names: 'firmware.task.scope.' },
    { key: 'deptName', title: 'firmware.task.dept' },
    { key: 'createdBy', title: 'firmware.task.createdBy' },
    { key: 'createdAt', title: 'firmware.task.createdAt', kind: 'moment' },
    { key: 'startAt', title: 'firmware.task.startAt', kind: 'moment', when: (row) => row.startAt !== null },
    { key: 'startedAt', title: 'firmware.task.startedAt', kind: 'moment', when: (row) => row.startedAt !== null },
    { key: 'endedAt', title: 'firmware.task.endedAt', kind: 'moment', when: (row) => row.endedAt !== null },
    { key: 'expiresAt', title: 'firmware.task.expiresAt', kind: 'moment', when: (row) => row.expiresAt !== null },
    { key: 'remark', title: 'firmware.task.remark', when: (row) => row.remark !== '' },
  ],
  actions: [openRing, retryFailed, ...(taskActions as readonly RowAction<Detail>[]), revertTask],
  slots: { above: TaskHead },
  tabs: [
    { key: 'devices', title: 'firmware.task.devices', Body: TaskDevices },
    { key: 'curve', title: 'firmware.task.curve', Body: TaskCurve },
    { key: 'settings', title: 'firmware.task.settings', Body: TaskSettings },
  ],
});
