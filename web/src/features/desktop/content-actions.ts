import { numbered } from '@mooring/contract/desktop/numbered';
import { newTaskScreen, type TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { Call } from '@mooring/contract/kit/call';
import type { RowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { t } from '../../ui/words.ts';
import { createNext, type Kind } from './content-kinds.ts';
import { contentTasks } from './content-tasks.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly number: number | null;
}
export const moves = {
  publish: { successText: 'done.published', confirm: { text: 'content.publish.about' } },
  withdraw: { successText: 'content.done.withdrawn', confirm: { text: 'content.withdraw.about' } },
} as const;

/** A draft of one's own; offered to whoever may add one. */
export const copyOf = (copy: Call): RowAction<Row> => ({
  key: 'copy',
  label: 'content.copy',
  icon: 'copy',
  when: () => mayCall(copy),
  call: copy,
  input: ({ id, name }) => ({ id, name: t('content.copy.name', { name }).slice(0, 64) }),
  successText: 'content.done.copied',
});

/** The version that follows, as a draft. */
export const nextOf = (kind: Kind): RowAction<Row> => ({
  key: 'next',
  label: 'content.next',
  icon: 'add',
  allowedAction: 'nextVersion',
  run: (row) => createNext(kind, row),
});

/** A new release of what is published. */
export const releaseOf = (kind: TaskKind): RowAction<Row> => ({
  key: 'release',
  label: 'content.release',
  icon: 'send',
  when: ({ state }) => state === 'published' && mayCall(contentTasks(kind).add),
  to: (row) => `${newTaskScreen(kind)}?content=${row.id}&name=${encodeURIComponent(numbered(row))}`,
});

interface Calls {
  readonly publish: Call;
  readonly withdraw: Call;
  readonly copy: Call;
  readonly delete: Call;
}
/** What can be done with one on its page. */
export const actsOf = <R extends Row>(of: Kind, calls: Calls, kind: TaskKind): RowAction<R>[] => {
  const { part, form } = of;
  return [
    { key: 'edit', label: `${part}.edit`, icon: 'edit', allowedAction: 'update', to: ({ id }) => `${form}/${id}` },
    { key: 'publish', label: `event.${part}.publish`, allowedAction: 'publish', call: calls.publish, ...moves.publish },
    releaseOf(kind),
    nextOf(of),
    { key: 'withdraw', label: `event.${part}.withdraw`, allowedAction: 'withdraw', call: calls.withdraw, ...moves.withdraw },
    copyOf(calls.copy),
    {
      key: 'delete',
      label: `${part}.delete`,
      allowedAction: 'delete',
      danger: true,
      call: calls.delete,
      confirm: { text: 'content.delete.about' },
      successText: 'done.deleted',
    },
  ];
};
