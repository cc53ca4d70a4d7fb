import { appCalls } from '@mooring/contract/app/calls';
import { App } from '@mooring/contract/app/schemas';
import { appReviewMachine } from '@mooring/contract/app/state-machines';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { Link } from '../../kit/link.tsx';
import type { Filter, RowOf } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { useT } from '../../ui/words.ts';
import { AppIcon } from './app-icon.tsx';
import { appPath } from './paths.ts';
import { VersionState } from './state-cells.tsx';

type Row = RowOf<typeof appCalls.page>;
type Pages = typeof appCalls.page;

const Listed = ({ row }: { row: Row }) => {
  const t = useT();
  return row.listedCode === null ? <span className="m-muted">{t('app.noListed')}</span> : row.listedName || String(row.listedCode);
};
const name = {
  key: 'name',
  width: 240,
  cell: (row: Row) => (
    <span className="m-row">
      <AppIcon id={row.iconId} />
      <Link to={appPath(row)}>{row.name}</Link>
    </span>
  ),
} as const;
const state = { key: 'reviewState', width: 190, cell: (row: Row) => <VersionState of={row} /> } as const;
const listed = { key: 'listedName', width: 150, cell: (row: Row) => <Listed row={row} /> } as const;

const filters: readonly Filter<Pages>[] = [
  { field: 'productId', label: 'app.productId', useChoices: useProducts },
  { field: 'reviewState', label: 'app.reviewState', machine: appReviewMachine },
  { field: 'channel', label: 'app.channel', names: 'app.channel.' },
];
const common = {
  open: appPath,
  nameOf: (row: Row) => row.name,
  texts: { add: 'appVersion.uploadNew', edit: 'appVersion.edit', delete: 'appVersion.delete' },
} as const;

/** What is in the catalogue for whoever looks, and all of their own range. */
export const catalogueList = listOf(App, appCalls, {
  ...common,
  code: 'app.catalogue',
  columns: [
    name,
    listed,
    state,
    'products',
    'deptName',
    { key: 'packageName', width: 230 },
    off('versions'),
    off('createdBy'),
    'updatedAt',
  ],
  filters: [...filters, { field: 'deptId', label: 'app.deptId', useChoices: useDepts }],
  emptyText: 'app.emptyText',
});

/** The apps of one's own organisation. */
export const ownList = listOf(App, appCalls, {
  ...common,
  code: 'app.own',
  columns: [
    name,
    { key: 'versionName', width: 150 },
    state,
    listed,
    'products',
    { key: 'packageName', width: 230 },
    off('versions'),
    'updatedAt',
  ],
  filters,
  empty: { title: 'app.dev.empty', text: 'app.dev.emptyText', icon: 'app' },
});
