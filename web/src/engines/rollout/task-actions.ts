import { taskClasses } from '@mooring/contract/engines/rollout/schemas';
import type { Task, TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import { editTaskScreen, newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import type { Call } from '@mooring/contract/kit/call';
import { type BulkAction, bulkAct, type RowAction, rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { handInFields } from './hand-in-fields.tsx';
import type { ReleaseKind } from './release-kind.ts';

/** Where a task of a class is written anew. */
export const newTaskPath = (kind: ReleaseKind, isPreset = false): string =>
  isPreset ? `${kind.of.screens.task}/pre/new` : newTaskScreen(kind.of);
const editPath = ({ of }: ReleaseKind, { id, taskClass }: Task) =>
  taskClass === taskClasses.preset ? `${of.screens.task}/pre/${id}/edit` : editTaskScreen(of, id);

/** What may be done with a task, in its list and on its page. */
export const taskActions = (kind: ReleaseKind, calls: TaskCalls): readonly RowAction<Task>[] => [
  { key: 'edit', label: 'firmware.task.edit', icon: 'edit', allowedAction: 'edit', to: (row) => editPath(kind, row) },
  rowAction(calls.enable, {
    successText: 'firmware.task.releasedNamed',
    label: 'event.task.enable',
    allowedAction: 'enable',
    confirm: { text: 'firmware.task.enableText' },
  }),
  rowAction(calls.submit, {
    successText: 'approval.submitted',
    label: 'approval.submit',
    allowedAction: 'submit',
    form: { fields: handInFields, about: 'approval.submitText' },
  }),
  rowAction(calls.start, { successText: 'done.started', label: 'event.task.start', allowedAction: 'start' }),
  rowAction(calls.pause, { successText: 'done.paused', label: 'event.task.pause', allowedAction: 'pause' }),
  rowAction(calls.recover, { successText: 'done.resumed', label: 'event.task.recover', allowedAction: 'recover' }),
  rowAction(calls.disable, { successText: 'done.withdrawn', label: 'event.task.disable', allowedAction: 'disable' }),
  rowAction(calls.cancel, {
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
    when: () => mayCall(calls.add),
    to: (row) => `${newTaskPath(kind, row.taskClass === taskClasses.preset)}?copy=${row.id}`,
  },
  rowAction(calls.delete, {
    successText: 'done.deleted',
    label: 'firmware.task.delete',
    icon: 'delete',
    allowedAction: 'delete',
    danger: true,
    confirm: { text: 'firmware.task.deleteText' },
  }),
];

type ManyCalls = Readonly<Record<'pauseMany' | 'recoverMany' | 'cancelMany' | 'deleteMany', Call>>;
/** What may be done with many at once, in a list of one kind or of several. */
export const bulkTaskActs = ({ calls }: { readonly calls: ManyCalls }): readonly BulkAction[] => [
  bulkAct(calls.pauseMany, { label: 'firmware.task.pauseMany', successText: 'firmware.task.pausedMany' }),
  bulkAct(calls.recoverMany, { label: 'firmware.task.recoverMany', successText: 'firmware.task.recoveredMany' }),
  bulkAct(calls.cancelMany, {
    label: 'firmware.task.cancelMany',
    successText: 'firmware.task.cancelledMany',
    text: 'firmware.task.cancelText',
    danger: true,
  }),
  bulkAct(calls.deleteMany, {
    label: 'firmware.task.deleteMany',
    successText: 'firmware.task.deletedMany',
    text: 'firmware.task.deleteText',
    icon: 'delete',
    danger: true,
  }),
];
