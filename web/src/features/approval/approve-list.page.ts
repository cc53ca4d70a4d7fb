import { approvalCalls } from '@mooring/contract/approval/calls';
import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import type { ReleaseType } from '@mooring/contract/engines/approval/steps';
import { bindPage } from '../../kit/bind-page.ts';
import type { ListSpec } from '../../kit/list/types.ts';
import type { Page } from '../../kit/route.ts';
import type { TextKey } from '../../ui/words.ts';
import { ApproveList } from './approve-list.tsx';
import { processOf } from './process-path.ts';

function specOf(code: string, title: TextKey, base: string): ListSpec<typeof approvalCalls.page> {
  const open = processOf(base);
  return {
    code,
    title,
    call: approvalCalls.page,
    export: approvalCalls.export,
    search: { field: 'name', hint: 'approval.search' },
    columns: [
      { key: 'name', title: 'approval.name', sort: true, pinned: 'left', width: 240, link: open },
      ...(base === '/approveList'
        ? ([{ key: 'taskType', title: 'approval.type', kind: 'name', names: 'approval.taskType.', width: 110 }] as const)
        : []),
      { key: 'step', title: 'approval.step', kind: 'state', machine: approvalMachine, width: 240 },
      { key: 'mine', title: 'approval.mine', kind: 'yes', width: 120 },
      { key: 'stepAt', title: 'approval.stepAt', kind: 'moment', sort: true, width: 160 },
      { key: 'dueAt', title: 'approval.dueAt', kind: 'moment', width: 160 },
      { key: 'overdue', title: 'approval.overdue', kind: 'yes', width: 110, off: true },
      { key: 'taskClass', title: 'approval.class', kind: 'name', names: 'approval.taskClass.', width: 110 },
      { key: 'author', title: 'approval.author', width: 140 },
      { key: 'deptName', title: 'approval.dept', width: 170 },
      { key: 'createdAt', title: 'approval.createdAt', kind: 'moment', sort: true, width: 160, off: true },
    ],
    filters: [
      ...(base === '/approveList' ? ([{ field: 'taskType', label: 'approval.type', names: 'approval.taskType.' }] as const) : []),
      { field: 'mine', label: 'approval.mine', kind: 'yes' },
      { field: 'overdue', label: 'approval.overdue', kind: 'yes' },
      { field: 'step', label: 'approval.step', machine: approvalMachine },
      { field: 'taskClass', label: 'approval.class', kind: 'one', names: 'approval.taskClass.' },
      { field: 'createdAt', label: 'approval.createdAt' },
    ],
    open,
    empty: { title: 'approval.empty', text: 'approval.emptyText' },
  };
}

/** Approvals of the releases of a kind, on Operations. */
export const approveList = (taskType: ReleaseType): Page =>
  bindPage(ApproveList, { spec: specOf(`approval.${taskType}`, `approval.list.${taskType}`, '/approveTask'), fixed: { taskType } });

/** Approvals that concern an organisation, of all kinds, on Customer. */
export const ownApprovals = bindPage(ApproveList, { spec: specOf('approval.own', 'approval.list.own', '/approveList') });
