import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { type ApproverRole, approvers, positionOf, releaseCourse } from '@mooring/contract/engines/approval/steps';
import type { Exact, Range } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import { hasOwners, hasTerminalsOf, isInOpenRings } from '../../engines/rollout/approved.ts';
import type { Db } from '../../platform/context.ts';
import { all, contains, exact, range } from '../../platform/db/criteria.ts';

export interface AuditCriteria {
  name?: string | undefined;
  taskId?: number | undefined;
  taskType?: Exact<string> | undefined;
  taskClass?: string | undefined;
  step?: Exact<string> | undefined;
  createdAt?: Range<string> | undefined;
  mine?: boolean | undefined;
  overdue?: boolean | undefined;
}
export const auditSorts = { stepAt: 'a.step_at', name: 'a.name', createdAt: 'a.created_at' } as const;

export const auditsWithDept = (db: Db) =>
  db.selectFrom('approval_audit as a').innerJoin('org_dept as o', 'o.id', 'a.dept_id').selectAll('a').select('o.name as dept_name');
export type ListedAudit = Awaited<ReturnType<ReturnType<typeof auditsWithDept>['executeTakeFirstOrThrow']>>;

/** Of what waits for an organisation, or would: approvals of releases that have terminals at and below its path, and its own. */
export const concerning = (path: string) =>
  sql<boolean>`((a.dept_path >= ${path} and a.dept_path < ${`${path}~`}) or ${hasTerminalsOf('a.task_id', path)})`;

export interface Asking {
  readonly userId: number;
  readonly path: string;
  readonly roles: ReadonlySet<ApproverRole>;
}
const codes = Object.keys(approvalMachine.byCode);
const stepsOfRoles = (roles: ReadonlySet<ApproverRole>) =>
  codes.filter((code) => {
    const role = releaseCourse.roleAt[positionOf(code).place];
    return role !== undefined && role !== approvers.customer && roles.has(role);
  });
const resultSteps = codes.filter((code) => positionOf(code).place === 'result');

/** What waits for a decision of this person; they wrote and submitted none of it. The rows are read under the policy besides. */
export function waitingFor({ userId, path, roles }: Asking): RawBuilder<boolean> {
  const isChecked = sql`(a.step = any(${resultSteps}::text[]) and a.result = '0')`;
  const region = roles.has(approvers.region) ? sql`(${isChecked} and not ${hasOwners('a.task_id')})` : sql`false`;
  const customer = roles.has(approvers.customer)
    ? sql`(${isChecked} and ${isInOpenRings('a.task_id', path)} and not exists (
        select from approval_record r where r.audit_id = a.id and r.event = 'resultConfirm' and r.step = a.step and ${path}::text like r.actor_path || '%'
          and r.id > coalesce((select max(id) from approval_record where audit_id = a.id and event = 'apply'), 0)))`
    : sql`false`;
  return sql<boolean>`(a.author_id <> ${userId} and (a.step = any(${stepsOfRoles(roles)}::text[]) or ${customer} or ${region})
    and coalesce((select p.applied_by from approval_application p where p.audit_id = a.id order by p.id desc limit 1), 0) <> ${userId})`;
}

export const auditConditions = (criteria: AuditCriteria, now: Date) =>
  all(
    contains('a.name', criteria.name),
    exact('a.task_id', criteria.taskId),
    exact('a.task_type', criteria.taskType),
    exact('a.task_class', criteria.taskClass),
    exact('a.step', criteria.step),
    range('a.created_at', criteria.createdAt),
    criteria.overdue === undefined
      ? undefined
      : criteria.overdue
        ? sql<boolean>`a.due_at <= ${now}`
        : sql<boolean>`(a.due_at is null or a.due_at > ${now})`,
  );
