import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import { bind } from '../../kit/bind-page.ts';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec, PageAction } from '../../kit/list/types.ts';
import type { Page } from '../../kit/route.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
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

/** The releases of a kind; with its pre-tasks on a second tab. */
export function taskList(kind: ReleaseKind): Page {
  const { preTasks } = kind.calls;
  if (!preTasks) return listPage({ ...dailyList(kind), actions: [addAction(kind)] });
  const daily = dailyList(kind);
  const pre = listOf({
    kind,
    calls: preTasks,
    code: `${kind.of.kind}.pretask`,
    title: 'firmware.pretask.title',
    empty: { title: 'firmware.pretask.empty', text: 'firmware.pretask.emptyText' },
  });
  return tabsPage({
    title: kind.title,
    actions: [
      { key: 'addPre', label: 'firmware.pretask.add', icon: 'add', call: preTasks.add, to: newTaskPath(kind, true) },
      addAction(kind),
    ],
    tabs: [
      { key: 'daily', title: 'firmware.daily.title', Body: bind(ListView<TaskCalls['page']>, { spec: daily }) },
      { key: 'pre', title: 'firmware.pretask.title', Body: bind(ListView<TaskCalls['page']>, { spec: pre, queryPrefix: 'p.' }) },
    ],
  });
}
