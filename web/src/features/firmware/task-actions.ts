import { type FirmwareTask, taskCalls } from '@mooring/contract/firmware/task-calls';
import { type RowAction, rowAct } from '../../kit/list/types.ts';

/** What may be done with a task, in its list and on its page. */
export const taskActions: readonly RowAction<FirmwareTask>[] = [
  { key: 'edit', label: 'firmware.task.edit', icon: 'edit', offer: 'edit', to: (row) => `/device/fota/taskmod/${row.id}/edit` },
  rowAct(taskCalls.submit, { label: 'event.task.submit', offer: 'submit' }),
  rowAct(taskCalls.enable, { label: 'event.task.enable', offer: 'enable', confirm: { text: 'firmware.task.enableText' } }),
  rowAct(taskCalls.start, { label: 'event.task.start', offer: 'start' }),
  rowAct(taskCalls.pause, { label: 'event.task.pause', offer: 'pause' }),
  rowAct(taskCalls.recover, { label: 'event.task.recover', offer: 'recover' }),
  rowAct(taskCalls.disable, { label: 'event.task.disable', offer: 'disable' }),
  rowAct(taskCalls.cancel, { label: 'event.task.cancel', offer: 'cancel', danger: true, confirm: { text: 'firmware.task.cancelText' } }),
  rowAct(taskCalls.delete, {
    label: 'firmware.task.delete',
    icon: 'delete',
    offer: 'delete',
    danger: true,
    confirm: { text: 'firmware.task.deleteText' },
  }),
];
