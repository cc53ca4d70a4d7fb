import { authAuditCalls } from '@mooring/contract/account/real-name-calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { OutcomeTag } from './real-name-outcome.tsx';

export const realNameAuditList = listPage({
  code: 'account.authAudit',
  title: 'page.authAudit',
  call: authAuditCalls.page,
  search: { field: 'text', hint: 'authAudit.search' },
  columns: [
    { key: 'name', title: 'realName.name', sort: true, pinned: 'left', width: 200, link: (row) => `/authAudit/${row.id}` },
    { key: 'kind', title: 'authAudit.kind', kind: 'name', names: 'realName.kind.', width: 120 },
    { key: 'outcome', title: 'authAudit.outcome', width: 160, cell: OutcomeTag },
    { key: 'documentKind', title: 'realName.documentKind', kind: 'name', names: 'realName.documentKind.', width: 150 },
    { key: 'number', title: 'realName.number', kind: 'code', width: 130 },
    { key: 'account', title: 'authAudit.account', width: 150 },
    { key: 'deptName', title: 'authAudit.dept', width: 170 },
    { key: 'createdAt', title: 'authAudit.at', kind: 'moment', sort: true, width: 160 },
    { key: 'validUntil', title: 'realName.validUntil', width: 120, off: true },
    { key: 'decidedBy', title: 'authAudit.decidedBy', off: true },
  ],
  filters: [
    { field: 'kind', label: 'authAudit.kind', names: 'realName.kind.' },
    { field: 'outcome', label: 'authAudit.outcome', names: 'authAudit.outcome.' },
  ],
  open: (row) => `/authAudit/${row.id}`,
  empty: { title: 'authAudit.empty', text: 'authAudit.emptyText' },
});
