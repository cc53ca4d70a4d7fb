import { type FirmwareTask, taskCalls } from '@mooring/contract/firmware/task-calls';
import { type RowAction, rowAct } from '../../kit/list/types.ts';

/** What may be done with a task, in its list and on its page. */
export const taskActions: readonly RowAction<FirmwareTask>[] = [
  { key: 'edit', label: 'firmware.task.edit', icon: 'edit', offer: 'edit', to: (row) => `/device/fota/taskmod/${row.id}/edit` },
  rowAct(taskCalls.submit, { said: 'done.submitted', label: 'event.task.submit', offer: 'submit' }),
  rowAct(taskCalls.enable, {
    said: 'firmware.task.releasedNamed',
    label: 'event.task.enable',
    offer: 'enable',
    confirm: { text: 'firmware.task.enableText' },
  }),
  rowAct(taskCalls.start, { said: 'done.started', label: 'event.task.start', offer: 'start' }),
  rowAct(taskCalls.pause, { said: 'done.paused', label: 'event.task.pause', offer: 'pause' }),
  rowAct(taskCalls.recover, { said: 'done.resumed', label: 'event.task.recover', offer: 'recover' }),
  rowAct(taskCalls.disable, { said: 'done.withdrawn', label: 'event.task.disable', offer: 'disable' }),
  rowAct(taskCalls.cancel, {
    said: 'done.cancelled',
    label: 'event.task.cancel',
    offer: 'cancel',
    danger: true,
    confirm: { text: 'firmware.task.cancelText', keep: 'firmware.task.keep' },
  }),
  rowAct(taskCalls.delete, {
    said: 'done.deleted',
    label: 'firmware.task.delete',
    icon: 'delete',
    offer: 'delete',
    danger: true,
    confirm: { text: 'firmware.task.deleteText' },
  }),
];
