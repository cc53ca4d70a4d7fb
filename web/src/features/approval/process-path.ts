import type { approvalCalls } from '@mooring/contract/approval/calls';
import type { RowOf } from '../../kit/list/types.ts';

type Row = RowOf<typeof approvalCalls.page>;

/** Where an approval is shown. */
export const processOf = (base: string) => (row: Row) => `${base}/${row.taskType}/process/${row.taskClass}/${row.taskId}/${row.id}`;
