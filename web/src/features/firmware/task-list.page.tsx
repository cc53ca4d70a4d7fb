import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { taskActions } from './task-actions.ts';
import { TaskProgress } from './task-progress.tsx';

const detail = (row: { id: number }) => `/device/fota/taskmod/${row.id}`;

export const taskList = listPage({
  code: 'firmware.task',
  title: 'firmware.task.title',
  call: taskCalls.page,
  search: { field: 'name', hint: 'firmware.task.search' },
  columns: [
    { key: 'name', title: 'firmware.task.name', sort: true, pinned: 'left', width: 210, link: detail },
    { key: 'state', title: 'firmware.task.state', kind: 'state', machine: taskMachine, width: 130 },
    { key: '_package', title: 'firmware.task.package', width: 180, cell: (row) => `${row.package.productName} ${row.package.version}` },
    { key: '_progress', title: 'firmware.task.progress', width: 250, cell: (row) => <TaskProgress row={row} tight /> },
    { key: 'total', title: 'firmware.task.total', kind: 'number', width: 90 },
    { key: 'releaseScope', title: 'firmware.task.scope', kind: 'name', names: 'firmware.task.scope.', off: true },
    { key: 'deptName', title: 'firmware.task.dept', width: 140 },
    { key: 'createdBy', title: 'firmware.task.createdBy', width: 140 },
    { key: 'createdAt', title: 'firmware.task.createdAt', kind: 'moment', sort: true, width: 170 },
    { key: 'startedAt', title: 'firmware.task.startedAt', kind: 'moment', off: true },
    { key: 'endedAt', title: 'firmware.task.endedAt', kind: 'moment', off: true },
    { key: 'expiresAt', title: 'firmware.task.expiresAt', kind: 'moment', off: true },
    { key: 'remark', title: 'firmware.task.remark', off: true },
  ],
  filters: [
    { field: 'state', label: 'firmware.task.state', machine: taskMachine },
    { field: 'createdAt', label: 'firmware.task.createdAt' },
  ],
  actions: [{ key: 'add', label: 'firmware.task.add', icon: 'add', primary: true, call: taskCalls.add, to: '/device/fota/taskmod/new' }],
  rowActions: taskActions,
  open: detail,
  empty: { title: 'firmware.task.empty', text: 'firmware.task.emptyText' },
});
