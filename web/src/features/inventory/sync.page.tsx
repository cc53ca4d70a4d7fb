import { syncConflictMachine, syncRunMachine } from '@mooring/contract/inventory/state-machines';
import {
  SyncConflict,
  SyncRun,
  SyncSource,
  syncConflictCalls,
  type syncDifferences,
  syncRunCalls,
  syncSourceCalls,
} from '@mooring/contract/inventory/sync';
import { useDepts } from '../../kit/choices.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { bulkAct, type PageAction, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

const form = formDialogs(SyncSource, syncSourceCalls, {
  fields: [
    'name',
    { name: 'deptId', kind: 'one', useChoices: useDepts, own: true },
    { name: 'url', kind: 'text', wide: true },
    'signIn',
    { name: 'token', kind: 'password', when: ({ signIn }) => signIn === 'token' },
    'schedule',
    { name: 'addsNew', kind: 'switch' },
  ],
  added: 'syncSource.added',
  wide: true,
});

function useSources(text: string) {
  const found = useCall(syncSourceCalls.page, { criteria: text ? { text } : {} }, { keep: true });
  return { choices: (found.data?.content ?? []).map((one) => ({ value: one.id, label: { text: one.name } })), busy: found.fetching };
}
const bySource = (label: 'syncRun.sourceId' | 'syncConflict.sourceId') => ({ field: 'sourceId', label, useChoices: useSources }) as const;

function Reason({ of }: { of: string | null }) {
  const loose = useLooseT();
  return of === null ? '–' : loose(`fault.${of}`, of);
}

const sources = listOf(SyncSource, syncSourceCalls, {
  code: 'inventory.syncSources',
  columns: [
    { key: 'name', width: 200 },
    { key: 'deptName', width: 180 },
    { key: 'url', width: 280 },
    { key: 'schedule', width: 130 },
    {
      key: 'lastState',
      width: 130,
      cell: ({ lastState }) => (lastState === null ? '–' : <StateTag machine={syncRunMachine} code={lastState} />),
    },
    { key: 'lastReason', width: 240, cell: ({ lastReason }) => <Reason of={lastReason} /> },
    { key: 'lastAt', width: 170 },
    { key: 'conflicts', width: 130 },
    off('signIn'),
    off('addsNew'),
    off('createdAt'),
  ],
  nameOf: (row) => row.name,
  edit: form.edit,
  rowActions: [rowAction(syncSourceCalls.run, { key: 'run', label: 'syncSource.run', icon: 'retry', successText: 'syncSource.run.done' })],
  deleting: { text: 'syncSource.delete.about' },
  empty: { title: 'syncSource.empty', text: 'syncSource.emptyText', icon: 'sync' },
});

function By({ name }: { name: string }) {
  const t = useT();
  return name || t('syncRun.schedule');
}

const records = listOf(SyncRun, syncRunCalls, {
  code: 'inventory.syncRuns',
  texts: { add: 'syncSource.add', edit: 'syncSource.edit', delete: 'syncSource.delete' },
  columns: [
    { key: 'startedAt', width: 170 },
    { key: 'sourceName', width: 190 },
    { key: 'state', width: 120 },
    { key: 'received', width: 110 },
    { key: 'added', width: 100 },
    { key: 'same', width: 130 },
    { key: 'conflicts', width: 110 },
    { key: 'unreadable', width: 120 },
    { key: 'reason', width: 260, cell: ({ reason }) => <Reason of={reason} /> },
    { key: 'byName', width: 150, cell: ({ byName }) => <By name={byName} /> },
    off('endedAt'),
  ],
  filters: [
    { field: 'state', label: 'syncRun.state', machine: syncRunMachine },
    bySource('syncRun.sourceId'),
    { field: 'startedAt', label: 'syncRun.startedAt' },
  ],
  nameOf: (row) => row.sourceName,
  empty: { title: 'syncRun.empty', icon: 'sync' },
});

function Differences({ of }: { of: readonly (typeof syncDifferences)[number][] }) {
  const t = useT();
  return of.map((one) => t(`syncConflict.why.${one}`)).join(' · ');
}

const conflicts = listOf(SyncConflict, syncConflictCalls, {
  code: 'inventory.syncConflicts',
  texts: { add: 'syncSource.add', edit: 'syncSource.edit', delete: 'syncSource.delete' },
  columns: [
    {
      key: 'sn',
      width: 180,
      link: ({ deviceId }: { readonly deviceId: number | null }) => (deviceId === null ? undefined : `/device/deviceDetail/${deviceId}`),
    },
    { key: 'state', width: 120 },
    { key: 'why', width: 200, cell: ({ why }) => <Differences of={why} /> },
    { key: 'ourOwner', width: 170 },
    { key: 'theirOwner', width: 170 },
    { key: 'ourProduct', width: 140 },
    { key: 'theirProduct', width: 160 },
    { key: 'sourceName', width: 160 },
    { key: 'foundAt', width: 170 },
    off('decidedBy'),
    off('decidedAt'),
  ],
  filters: [
    { field: 'state', label: 'syncConflict.state', machine: syncConflictMachine },
    bySource('syncConflict.sourceId'),
    { field: 'foundAt', label: 'syncConflict.foundAt' },
  ],
  bulk: [
    bulkAct(syncConflictCalls.keep, {
      label: 'syncConflict.keep',
      icon: 'done',
      text: 'syncConflict.keep.about',
      successText: 'syncConflict.keep.done',
    }),
    bulkAct(syncConflictCalls.take, {
      label: 'syncConflict.take',
      icon: 'download',
      text: 'syncConflict.take.about',
      successText: 'syncConflict.take.done',
    }),
  ],
  nameOf: (row) => row.sn,
  empty: { title: 'syncConflict.empty', text: 'syncConflict.emptyText', icon: 'sync' },
});

const tabs = [
  { key: 'conflicts', title: 'syncConflict.title', Body: () => <ListView spec={conflicts} queryPrefix="c." /> },
  { key: 'history', title: 'syncRun.title', Body: () => <ListView spec={records} queryPrefix="h." /> },
  { key: 'registers', title: 'syncSource.title', Body: () => <ListView spec={sources} queryPrefix="r." /> },
] as const;

const actions: readonly PageAction[] = [
  { key: 'add', label: 'syncSource.add', icon: 'add', primary: true, call: syncSourceCalls.add, Dialog: form.Add },
];

/** Where outside asset registers differ, what was read of them, and which there are. */
export const syncPage = tabsPage({ title: 'sync.title', tabs, actions, Above: form.Edit });
