import { appSubscriptionMachine } from '@mooring/contract/app/state-machines';
import { AppSubscription, appSubscriptionCalls } from '@mooring/contract/app/subscription';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { filtersOf } from '../../kit/resource/entity-field.ts';
import { listOf } from '../../kit/resource/resource-list.ts';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { Block } from './block.tsx';
import { subscriptionPath } from './paths.ts';
import { Subscribe, type Subscription, subscriptionActs } from './subscription-dialogs.tsx';
import { versionWords } from './version-words.ts';

/** Whether it holds now, whatever its state: its term may be over, or it may be on the blacklist. */
function Validity({ row }: { row: Subscription }) {
  const t = useT();
  if (row.blacklist === '1') return <StatusTag tone="bad">{t('appSubscription.blacklist.1')}</StatusTag>;
  if (row.state !== 'active') return null;
  return <StatusTag tone={row.validity === '0' ? 'good' : 'ended'}>{t(`appSubscription.validity.${row.validity}`)}</StatusTag>;
}
const Version = ({ row }: { row: Subscription }) => {
  const t = useT();
  const words = row.versionCode === null ? '–' : versionWords({ versionName: row.versionName ?? '', versionCode: row.versionCode });
  return row.versionId === null ? <span title={t('appSubscription.newest')}>{words}</span> : <strong>{words}</strong>;
};
const Until = ({ row }: { row: Subscription }) => {
  const t = useT();
  const format = useFormat();
  return row.validUntil === null ? (
    <span className="m-muted">{t('appSubscription.noEnd')}</span>
  ) : (
    format.moment(row.validUntil, 'date', 'UTC')
  );
};

const actions: readonly PageAction[] = [
  { key: 'add', label: 'appSubscription.add', icon: 'add', primary: true, call: appSubscriptionCalls.add, Dialog: Subscribe },
  { key: 'block', label: 'appSubscription.block', call: appSubscriptionCalls.block, Dialog: Block },
];
const list = listOf(
  AppSubscription,
  { page: appSubscriptionCalls.page, export: appSubscriptionCalls.export },
  {
    code: 'app.subscriptions',
    columns: [
      { key: 'appName', width: 200 },
      { key: 'state', width: 140 },
      { key: 'validity', width: 150, cell: (row: Subscription) => <Validity row={row} /> },
      { key: 'side', width: 120 },
      { key: 'deptName', width: 180 },
      { key: 'ownerName', width: 180 },
      { key: 'versionName', width: 130, cell: (row: Subscription) => <Version row={row} /> },
      { key: 'validUntil', width: 130, cell: (row: Subscription) => <Until row={row} /> },
      off('packageName'),
      off('appKey'),
      off('createdBy'),
      'createdAt',
    ],
    open: subscriptionPath,
    // An app is found by its name; the page of one asks for its own.
    filters: filtersOf(AppSubscription).filter(({ field }) => field !== 'appId' && field !== 'mine') as never,
    nameOf: (row: Subscription) => row.appName,
    texts: { search: 'appSubscription.search', add: 'appSubscription.add', edit: 'appSubscription.update', delete: 'appSubscription.end' },
    rowActions: subscriptionActs as never,
    empty: { title: 'appSubscription.empty', text: 'appSubscription.emptyText', icon: 'subscription' },
  },
);

function Subscriptions() {
  const t = useT();
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('appSubscription.title')}>
        <PageActions actions={actions} addressed />
      </PageHead>
      <ListView spec={list} />
    </div>
  );
}
export const subscriptionsPage = { View: Subscriptions, actions };

/** One subscription, from either side. */
export const subscriptionPage = detailPage({
  call: appSubscriptionCalls.detail,
  input: (view) => ({ id: Number(view.path.split('/')[2]) }),
  nameOf: (row) => row.appName,
  state: { machine: appSubscriptionMachine, of: (row) => row.state },
  note: (row) => <Validity row={row} />,
  facts: [
    { key: 'side', title: 'appSubscription.side', kind: 'name', names: 'appSubscription.side.' },
    { key: 'deptName', title: 'appSubscription.deptName' },
    { key: 'ownerName', title: 'appSubscription.ownerName' },
    { key: 'packageName', title: 'appSubscription.packageName', kind: 'code' },
    { key: 'versionName', title: 'appSubscription.versionName', cell: (row) => <Version row={row} /> },
    { key: 'validUntil', title: 'appSubscription.validUntil', cell: (row) => <Until row={row} /> },
    { key: 'appKey', title: 'appSubscription.appKey', kind: 'code' },
    { key: '_secret', title: 'appSubscription.hasSecret', cell: (row) => <Secret row={row} /> },
    { key: 'oldSecretUntil', title: 'appSubscription.oldSecretUntil', kind: 'moment', when: (row) => row.oldSecretUntil !== null },
    { key: 'termAskedAt', title: 'appSubscription.termAskedAt', kind: 'moment', when: (row) => row.termAskedAt !== null },
    { key: 'reason', title: 'appSubscription.reason', when: (row) => row.reason !== '' },
    { key: 'note', title: 'appSubscription.note', when: (row) => row.note !== '' },
    { key: 'createdBy', title: 'appSubscription.createdBy', when: (row) => row.createdBy !== '' },
    { key: 'createdAt', title: 'appSubscription.createdAt', kind: 'moment' },
  ],
  actions: subscriptionActs,
});

function Secret({ row }: { row: Subscription }) {
  const t = useT();
  return <span className="m-muted">{t(row.hasSecret ? 'appSubscription.secretSet' : 'appSubscription.secretNone')}</span>;
}
