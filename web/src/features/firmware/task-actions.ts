import { type FirmwareTask, taskCalls } from '@mooring/contract/firmware/task-calls';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';

/** What may be done with a task, in its list and on its page. */
export const taskActions: readonly RowAction<FirmwareTask>[] = [
  { key: 'edit', label: 'firmware.task.edit', icon: 'edit', allowedAction: 'edit', to: (row) => `/device/fota/taskmod/${row.id}/edit` },
  rowAction(taskCalls.enable, {
    successText: 'firmware.task.releasedNamed',
    label: 'event.task.enable',
    allowedAction: 'enable',
    confirm: { text: 'firmware.task.enableText' },
  }),
  rowAction(taskCalls.start, { successText: 'done.started', label: 'event.task.start', allowedAction: 'start' }),
  rowAction(taskCalls.pause, { successText: 'done.paused', label: 'event.task.pause', allowedAction: 'pause' }),
  rowAction(taskCalls.recover, { successText: 'done.resumed', label: 'event.task.recover', allowedAction: 'recover' }),
  rowAction(taskCalls.disable, { successText: 'done.withdrawn', label: 'event.task.disable', allowedAction: 'disable' }),
  rowAction(taskCalls.cancel, {
    successText: 'done.cancelled',
    label: 'event.task.cancel',
    allowedAction: 'cancel',
    danger: true,
    confirm: { text: 'firmware.task.cancelText', keep: 'firmware.task.keep' },
  }),
  {
    key: 'copy',
    label: 'firmware.task.copy',
    icon: 'copy',
    when: () => mayCall(taskCalls.add),
    to: (row) => `/device/fota/taskmod/new?copy=${row.id}`,
  },
  rowAction(taskCalls.delete, {
    successText: 'done.deleted',
    label: 'firmware.task.delete',
    icon: 'delete',
    allowedAction: 'delete',
    danger: true,
    confirm: { text: 'firmware.task.deleteText' },
  }),
];
