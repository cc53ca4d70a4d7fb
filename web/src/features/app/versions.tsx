import { appVersionCalls } from '@mooring/contract/app/calls';
import { AppVersion } from '@mooring/contract/app/schemas';
import { appPublishMachine, appReviewMachine } from '@mooring/contract/app/state-machines';
import { useDepts } from '../../kit/choices.ts';
import { Link } from '../../kit/link.tsx';
import { bulkAct, type Filter, type RowOf, rowAction } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { AppIcon } from './app-icon.tsx';
import { editPath, versionPath } from './paths.ts';
import { VersionState } from './state-cells.tsx';
import { nameOf } from './version-name.ts';

export type Version = RowOf<typeof appVersionCalls.page>;

const rowActions = [
  rowAction(appVersionCalls.submit, {
    label: 'appVersion.submit',
    icon: 'send',
    allowedAction: 'submit',
    successText: 'appVersion.submitted',
  }),
  { key: 'edit', label: 'appVersion.edit', icon: 'edit', allowedAction: 'update', to: editPath },
  rowAction(appVersionCalls.withdraw, {
    label: 'appVersion.withdraw',
    allowedAction: 'withdraw',
    successText: 'appVersion.withdrawn',
  }),
] as const;

const version = {
  key: 'versionName',
  width: 170,
  cell: (row: Version) => <Link to={versionPath(row)}>{nameOf(row)}</Link>,
} as const;
const state = { key: 'reviewState', width: 190, cell: (row: Version) => <VersionState of={row} /> } as const;
const filters: readonly Filter<typeof appVersionCalls.page>[] = [
  { field: 'reviewState', label: 'appVersion.reviewState', machine: appReviewMachine },
  { field: 'publishState', label: 'appVersion.publishState', machine: appPublishMachine },
  { field: 'auditResult', label: 'appVersion.auditResult', names: 'appVersion.auditResult.' },
  { field: 'channel', label: 'appVersion.channel', names: 'appVersion.channel.' },
];
const common = {
  open: versionPath,
  nameOf,
  texts: { add: 'appVersion.upload' },
} as const;
const { update: _update, delete: _delete, add: _add, ...calls } = appVersionCalls;

/** The versions of one app. */
export const versionsOfApp = listOf(
  AppVersion,
  { ...calls, delete: appVersionCalls.delete },
  {
    ...common,
    code: 'app.versions',
    columns: [
      version,
      'versionCode',
      state,
      { key: 'size', kind: 'size', width: 110 },
      { key: 'submittedAt', width: 170 },
      { key: 'auditResult', width: 140 },
      { key: 'decidedBy', width: 150 },
      off('createdBy'),
      'createdAt',
    ],
    filters,
    rowActions,
    deleting: { text: 'appVersion.delete.about' },
    bulk: [
      bulkAct(appVersionCalls.submitMany, { label: 'appVersion.submitMany', icon: 'send', successText: 'appVersion.submitMany.done' }),
      bulkAct(appVersionCalls.delistMany, {
        label: 'appVersion.delistMany',
        danger: true,
        successText: 'appVersion.delistMany.done',
        text: 'appVersion.delist.about',
        form: { fields: [{ name: 'comment', label: 'appVersion.delist.comment', kind: 'area', wide: true }], initial: { comment: '' } },
      }),
      bulkAct(appVersionCalls.deleteMany, { label: 'appVersion.deleteMany', danger: true, successText: 'appVersion.deleteMany.done' }),
    ],
    emptyText: 'app.dev.emptyText',
  },
);

/** What developers of the range have submitted. */
export const waitingList = listOf(AppVersion, calls, {
  ...common,
  code: 'app.waiting',
  // Whoever waits longest comes first.
  sort: 'submittedAt',
  columns: [
    {
      key: 'appName',
      width: 230,
      cell: (row: Version) => (
        <span className="m-row">
          <AppIcon id={row.iconId} />
          <Link to={versionPath(row)}>{row.appName}</Link>
        </span>
      ),
    },
    { key: 'versionName', width: 150, cell: nameOf },
    { key: 'channel', width: 110 },
    'deptName',
    { key: 'submittedBy', width: 150 },
    { key: 'submittedAt', width: 170 },
    { key: 'packageName', width: 230 },
    off('targetSdk'),
  ],
  nameOf: (row: Version) => `${row.appName} ${nameOf(row)}`,
  filters: [
    { field: 'channel', label: 'appVersion.channel', names: 'appVersion.channel.' },
    { field: 'deptId', label: 'appVersion.deptId', useChoices: useDepts },
  ],
  empty: { title: 'appVersion.waitingEmpty', text: 'appVersion.waitingEmptyText', icon: 'done' },
});
