import type { DriftCalls } from '@mooring/contract/engines/rollout/drift-calls';
import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { GENERAL, taskGroups } from '@mooring/contract/engines/rollout/task-kind';
import { generalDriftCalls, generalTaskCalls } from '@mooring/contract/task/calls';
import { driftTab } from '../../engines/rollout/drift-tab.tsx';
import { pageOf, useKinds } from '../../engines/rollout/kind-context.tsx';
import { type ReleaseKind, taskPath } from '../../engines/rollout/release-kind.ts';
import { bulkTaskActs, taskActions } from '../../engines/rollout/task-actions.ts';
import { columnsOfKinds } from '../../engines/rollout/task-columns.tsx';
import { bind } from '../../kit/bind-page.ts';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec, RowAction, RowOf } from '../../kit/list/types.ts';
import { useMadeOf } from '../../kit/live.ts';
import { refresh, useActed } from '../../kit/queries.ts';
import type { Page } from '../../kit/route.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { addingAny, useKindsWith } from './kinds.ts';

type Row = RowOf<typeof generalTaskCalls.page>;

/** What is done with a task is done by the calls of its kind: the list of all kinds hears of it. */
function Hears({ groups }: { groups: readonly string[] }) {
  useMadeOf(GENERAL, groups);
  useActed(0, () => refresh(GENERAL));
  return null;
}

/** What may be done with a row of its own kind. */
const actsOf = (kind: ReleaseKind): RowAction<Row>[] =>
  taskActions(kind, kind.calls.tasks).map((act) => ({
    ...act,
    key: `${kind.of.kind}.${act.key}`,
    when: (row) => row.kind === kind.of.kind && (act.when?.(row) ?? true),
  }));

const useKindChoices = () => ({
  choices: useKindsWith(useKinds(), 'page').map(({ of, title }) => ({ value: of.kind, label: title })),
});

/** General releases, of all kinds that the person may see. */
export const generalList = (kinds: readonly ReleaseKind[]): Page =>
  pageOf(
    kinds,
    tabsPage({
      title: 'task.title',
      actions: [{ key: 'add', label: 'firmware.task.add', icon: 'add', primary: true, call: addingAny(kinds), to: `${GENERAL}/create` }],
      tabs: [
        { key: 'daily', title: 'drift.releases', Body: bind(ListView<typeof generalTaskCalls.page>, { spec: releasesOf(kinds) }) },
        driftTab(kinds, generalDriftCalls as DriftCalls, 'task.drift', [
          { key: 'kind', title: 'task.kind', kind: 'name', names: 'task.kind.', width: 150 },
        ]),
      ],
    }),
  );

const releasesOf = (kinds: readonly ReleaseKind[]): ListSpec<typeof generalTaskCalls.page> => ({
  code: 'task.general',
  title: 'task.title',
  call: generalTaskCalls.page,
  search: { field: 'name', hint: 'firmware.task.search' },
  columns: columnsOfKinds(kinds, [{ key: 'kind', title: 'task.kind', kind: 'name', names: 'task.kind.', width: 160 }]),
  filters: [
    { field: 'kind', label: 'task.kind', useChoices: useKindChoices },
    { field: 'state', label: 'firmware.task.state', machine: taskMachine },
    { field: 'productId', label: 'firmware.package.product', useChoices: useProducts },
    { field: 'deptId', label: 'firmware.task.dept', kind: 'one', useChoices: useDepts },
    { field: 'createdBy', label: 'firmware.task.createdBy' },
    { field: 'createdAt', label: 'firmware.task.createdAt' },
  ],
  rowActions: kinds.flatMap(actsOf),
  bulk: bulkTaskActs({ calls: generalTaskCalls }),
  export: generalTaskCalls.export,
  open: (row) => taskPath(kinds[0] as ReleaseKind, row),
  empty: { title: 'task.empty', text: 'task.emptyText' },
  slots: { above: bind(Hears, { groups: kinds.flatMap(({ of }) => taskGroups(of)) }) },
});
