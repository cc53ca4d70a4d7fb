import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { preTaskCalls, type TaskCalls, taskCalls } from '@mooring/contract/firmware/task-calls';
import { useDepts } from '../../kit/choices.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import { bulkAct, type ListSpec, type PageAction } from '../../kit/list/types.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { goSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { useProducts } from './choices.ts';
import { preTaskActions, taskActions } from './task-actions.ts';
import { taskColumns, taskPath } from './task-columns.tsx';

interface ListOf extends Pick<ListSpec<TaskCalls['page']>, 'code' | 'title' | 'rowActions' | 'empty'> {
  readonly calls: TaskCalls;
}
const listOf = ({ calls, code, title, rowActions, empty }: ListOf): ListSpec<TaskCalls['page']> => ({
  code,
  title,
  call: calls.page,
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
  rowActions,
  bulk: [
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
  ],
  open: taskPath,
  empty,
});

const tabs = [
  {
    key: 'daily',
    title: 'firmware.daily.title',
    prefix: '',
    list: listOf({
      calls: taskCalls,
      code: 'firmware.task',
      title: 'firmware.task.title',
      rowActions: taskActions,
      empty: { title: 'firmware.task.empty', text: 'firmware.task.emptyText' },
    }),
  },
  {
    key: 'pre',
    title: 'firmware.pretask.title',
    prefix: 'p.',
    list: listOf({
      calls: preTaskCalls,
      code: 'firmware.pretask',
      title: 'firmware.pretask.title',
      rowActions: preTaskActions,
      empty: { title: 'firmware.pretask.empty', text: 'firmware.pretask.emptyText' },
    }),
  },
] as const;

const actions: readonly PageAction[] = [
  { key: 'addPre', label: 'firmware.pretask.add', icon: 'add', call: preTaskCalls.add, to: '/device/fota/taskmod/pre/new' },
  { key: 'add', label: 'firmware.task.add', icon: 'add', primary: true, call: taskCalls.add, to: '/device/fota/taskmod/new' },
];

/** Releases to terminals in the field, and those that wait for a first contact. */
function Releases() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('firmware.task.title')}>
        <PageActions actions={actions} addressed />
      </PageHead>
      <Tabs
        active={active.key}
        onChange={(key) => goSearch(view, new URLSearchParams(key === tabs[0].key ? {} : { tab: key }))}
        items={tabs.map((tab) => ({
          key: tab.key,
          label: t(tab.title),
          children: tab.key === active.key ? <ListView key={tab.key} spec={tab.list} queryPrefix={tab.prefix} /> : null,
        }))}
      />
    </div>
  );
}

export const taskList = { View: Releases, actions };
