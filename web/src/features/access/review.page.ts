import { reviewCalls } from '@mooring/contract/access/review-calls';
import { grantReviewMachine } from '@mooring/contract/access/state-machines';
import { useDepts } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { bulkAct, rowAction } from '../../kit/list/types.ts';
import { useRoles } from '../../kit/role-choices.ts';
import { useMenus } from './review-choices.ts';
import { What } from './review-what.tsx';

/** One list for both platforms: /sys/review of the centre, /managerSys/review of the manager. */
export const reviews = listPage({
  code: 'access.review',
  title: 'review.title',
  call: reviewCalls.page,
  search: { field: 'text', hint: 'review.search' },
  columns: [
    { key: 'holder', title: 'review.holder', pinned: 'left', width: 170 },
    { key: 'account', title: 'review.account', width: 150, off: true },
    { key: 'kind', title: 'review.kind', kind: 'name', names: 'review.kind.', width: 150 },
    { key: 'what', title: 'review.what', width: 220, cell: What },
    { key: 'state', title: 'review.state', kind: 'state', machine: grantReviewMachine, width: 140 },
    { key: 'dueAt', title: 'review.dueAt', kind: 'date', sort: true, width: 130 },
    { key: 'deptName', title: 'review.dept', sort: 'holder', width: 160 },
    { key: 'grantedBy', title: 'review.grantedBy', width: 140 },
    { key: 'way', title: 'review.way', kind: 'name', names: 'review.way.', width: 160, off: true },
    { key: 'grantedAt', title: 'review.grantedAt', kind: 'date', width: 130, off: true },
    { key: 'lastUsedAt', title: 'review.lastUsedAt', kind: 'ago', width: 150 },
    { key: 'menuCount', title: 'review.menuCount', kind: 'number', width: 120, off: true },
    { key: 'platforms', title: 'review.platforms', kind: 'tags', names: 'platform.', width: 170, off: true },
    { key: 'decidedAt', title: 'review.decidedAt', kind: 'moment', width: 170, off: true },
    { key: 'decidedBy', title: 'review.decidedBy', width: 150, off: true },
  ],
  filters: [
    { field: 'state', label: 'review.state', machine: grantReviewMachine },
    { field: 'kind', label: 'review.kind', names: 'review.kind.' },
    { field: 'roleId', label: 'review.role', useChoices: useRoles },
    { field: 'menu', label: 'review.menu', kind: 'one', useChoices: useMenus },
    { field: 'deptId', label: 'review.dept', kind: 'one', useChoices: useDepts },
    { field: 'way', label: 'review.way', names: 'review.way.' },
  ],
  rowActions: [
    rowAction(reviewCalls.confirm, {
      successText: 'review.confirmed',
      label: 'event.grantReview.confirm',
      icon: 'check',
      allowedAction: 'confirm',
      confirm: { text: 'review.confirm.about' },
    }),
    rowAction(reviewCalls.withdraw, {
      successText: 'review.withdrawn',
      label: 'event.grantReview.withdraw',
      allowedAction: 'withdraw',
      danger: true,
      confirm: { text: 'review.withdraw.about' },
    }),
  ],
  bulk: [
    bulkAct(reviewCalls.confirmMany, { successText: 'review.confirmedMany', label: 'review.confirmMany', icon: 'check' }),
    bulkAct(reviewCalls.withdrawMany, { successText: 'review.withdrawnMany', label: 'review.withdrawMany', danger: true }),
  ],
  export: reviewCalls.export,
  nameOf: (row) => row.account ?? row.holder,
  empty: { title: 'review.empty', text: 'review.emptyText', icon: 'check' },
});
