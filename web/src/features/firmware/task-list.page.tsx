import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { useDepts } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { bulkAct } from '../../kit/list/types.ts';
import { useProducts } from './choices.ts';
import { taskActions } from './task-actions.ts';
import { taskColumns, taskPath } from './task-columns.tsx';

export const taskList = listPage({
  code: 'firmware.task',
  title: 'firmware.task.title',
  call: taskCalls.page,
  search: { field: 'name', hint: 'firmware.task.search' },
  columns: taskColumns,
  filters: [
    { field: 'state', label: 'firmware.task.state', machine: taskMachine },
    { field: 'productId', label: 'firmware.package.product', useChoices: useProducts },
    { field: 'version', label: 'firmware.package.version' },
    { field: 'deptId', label: 'firmware.task.dept', kind: 'one', useChoices: useDepts },
    { field: 'createdBy', label: 'firmware.task.createdBy' },
    { field: 'createdAt', label: 'firmware.task.createdAt' },
  ],
  actions: [{ key: 'add', label: 'firmware.task.add', icon: 'add', primary: true, call: taskCalls.add, to: '/device/fota/taskmod/new' }],
  rowActions: taskActions,
  bulk: [
    bulkAct(taskCalls.pauseMany, { label: 'firmware.task.pauseMany', successText: 'firmware.task.pausedMany' }),
    bulkAct(taskCalls.recoverMany, { label: 'firmware.task.recoverMany', successText: 'firmware.task.recoveredMany' }),
    bulkAct(taskCalls.cancelMany, {
      label: 'firmware.task.cancelMany',
      successText: 'firmware.task.cancelledMany',
      text: 'firmware.task.cancelText',
      danger: true,
    }),
    bulkAct(taskCalls.deleteMany, {
      label: 'firmware.task.deleteMany',
      successText: 'firmware.task.deletedMany',
      text: 'firmware.task.deleteText',
      icon: 'delete',
      danger: true,
    }),
  ],
  open: taskPath,
  empty: { title: 'firmware.task.empty', text: 'firmware.task.emptyText' },
});
