import { approvalCalls } from '@mooring/contract/approval/calls';
import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { pageAudits } from './read-audit.ts';

export const auditExporter = rowExporter(approvalCalls.page, approvalCalls.export, {
  title: 'approval.list.own',
  page: pageAudits,
  sort: 'createdAt',
  columns: {
    name: 'approval.name',
    taskType: ['approval.type', 'approval.taskType.'],
    step: ['approval.step', approvalMachine],
    mine: 'approval.mine',
    stepAt: 'approval.stepAt',
    dueAt: 'approval.dueAt',
    overdue: 'approval.overdue',
    taskClass: ['approval.class', 'approval.taskClass.'],
    author: 'approval.author',
    deptName: 'approval.dept',
    createdAt: 'approval.createdAt',
  },
});
