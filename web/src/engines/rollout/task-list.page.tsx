import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import { driftCallsFor } from '@mooring/contract/release-drift';
import { bind } from '../../kit/bind-page.ts';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec, PageAction } from '../../kit/list/types.ts';
import type { Page } from '../../kit/route.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { driftTab } from './drift-tab.tsx';
import { pageOf } from './kind-context.tsx';
import { type ReleaseKind, taskPath } from './release-kind.ts';
import { bulkTaskActs, newTaskPath, taskActions } from './task-actions.ts';
import { taskColumns } from './task-columns.tsx';

interface ListOf extends Pick<ListSpec<TaskCalls['page']>, 'code' | 'title' | 'empty'> {
  readonly kind: ReleaseKind;
  readonly calls: TaskCalls;
}
const listOf = ({ kind, calls, code, title, empty }: ListOf): ListSpec<TaskCalls['page']> => ({
  code,
  title,
  call: calls.page,
  search: { field: 'name', hint: 'firmware.task.search' },
  columns: taskColumns(kind),
  filters: [
    { field: 'state', label: 'firmware.task.state', machine: taskMachine },
    { field: 'productId', label: 'firmware.package.product', useChoices: useProducts },
    ...(kind.packages ? [{ field: 'version', label: 'firmware.package.version' } as const] : []),
    { field: 'deptId', label: 'firmware.task.dept', kind: 'one', useChoices: useDepts },
    { field: 'createdBy', label: 'firmware.task.createdBy' },
    { field: 'createdAt', label: 'firmware.task.createdAt' },
  ],
  rowActions: taskActions(kind, calls),
  bulk: bulkTaskActs({ calls }),
  export: calls.export,
  open: (row) => taskPath(kind, row),
  empty,
});

const dailyList = (kind: ReleaseKind) =>
  listOf({
    kind,
    calls: kind.calls.tasks,
    code: `${kind.of.kind}.task`,
    title: kind.title,
    empty: { title: kind.empty, text: kind.emptyText },
  });

const addAction = (kind: ReleaseKind): PageAction => ({
  key: 'add',
  label: 'firmware.task.add',
  icon: 'add',
  primary: true,
  call: kind.calls.tasks.add,
  to: newTaskPath(kind),
});

/** The releases of a kind, its pre-tasks where it has any, and what terminals have of that no more. */
export function taskList(kind: ReleaseKind): Page {
  const { preTasks } = kind.calls;
  const daily = { Body: bind(ListView<TaskCalls['page']>, { spec: dailyList(kind) }), key: 'daily' };
  const drift = driftTab([kind], driftCallsFor(kind.of), `${kind.of.kind}.drift`);
  if (!preTasks)
    return pageOf(
      [kind],
      tabsPage({ title: kind.title, actions: [addAction(kind)], tabs: [{ ...daily, title: 'drift.releases' }, drift] }),
    );
  const pre = listOf({
    kind,
    calls: preTasks,
    code: `${kind.of.kind}.pretask`,
    title: 'firmware.pretask.title',
    empty: { title: 'firmware.pretask.empty', text: 'firmware.pretask.emptyText' },
  });
  return pageOf(
    [kind],
    tabsPage({
      title: kind.title,
      actions: [
        { key: 'addPre', label: 'firmware.pretask.add', icon: 'add', call: preTasks.add, to: newTaskPath(kind, true) },
        addAction(kind),
      ],
      tabs: [
        { ...daily, title: 'firmware.daily.title' },
        { key: 'pre', title: 'firmware.pretask.title', Body: bind(ListView<TaskCalls['page']>, { spec: pre, queryPrefix: 'p.' }) },
        drift,
      ],
    }),
  );
}
