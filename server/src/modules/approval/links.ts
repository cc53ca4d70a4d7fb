import type { Platform } from '@mooring/contract/kit/call';
import type { Audit } from '../../engines/approval/audit.ts';

export interface Place {
  readonly type: string;
  readonly taskClass: string;
  readonly taskId: number;
  readonly auditId: number;
}

/** Where an approval is shown (specification, section 2). */
export const screenOf = (platform: Platform, { type, taskClass, taskId, auditId }: Place): string =>
  `/${platform === 'centre' ? 'approveTask' : 'approveList'}/${type}/process/${taskClass}/${taskId}/${auditId}`;

export const mailScreenOf = ({ type, taskClass, taskId, auditId }: Place, userId: number, sign: string): string =>
  `/approveTaskEmail/${type}/email/${taskClass}/${taskId}/${auditId}/${userId}?sign=${sign}`;

export const placeOf = (audit: Audit): Place => ({
  type: audit.task_type,
  taskClass: audit.task_class,
  taskId: audit.task_id,
  auditId: audit.id,
});
