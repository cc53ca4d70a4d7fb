import type { approvalCalls } from '@mooring/contract/approval/calls';
import type { AuditShown } from '@mooring/contract/engines/approval/schemas';
import type { ReleaseType } from '@mooring/contract/engines/approval/steps';
import { fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx } from '../../platform/context.ts';
import { all, valuesOf } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { auditConditions, auditSorts, auditsWithDept, concerning, type ListedAudit, waitingFor } from './audits.queries.ts';
import { actionsFor, personFor, rolesFor, typesSeen } from './person.ts';

export const headOf = (row: ListedAudit, now: Date) => ({
  id: row.id,
  taskId: row.task_id,
  taskType: row.task_type as ReleaseType,
  taskClass: row.task_class as '0' | '1',
  name: row.name,
  step: row.step,
  result: row.result as '0' | '1' | '2',
  author: row.author_name,
  deptName: row.dept_name,
  createdAt: row.created_at,
  stepAt: row.step_at,
  dueAt: row.due_at,
  overdue: row.due_at !== null && row.due_at <= now,
});

/** Approvals that the actor sees: of the kinds that they may look at; on Customer those alone that concern the organisation. */
const seenBy = (ctx: Ctx) =>
  auditsWithDept(ctx.db)
    .where('a.task_type', 'in', [...typesSeen(ctx), ''])
    .where(ctx.scope.platform === 'manager' ? concerning(ctx.scope.path) : sql<boolean>`true`);

/** Rows of any of these types that wait for the actor; each type asks for its own permission. */
export async function mineOf(ctx: Ctx, types: readonly string[]): Promise<RawBuilder<boolean>> {
  const conditions: RawBuilder<boolean>[] = [];
  for (const type of types) {
    const roles = await rolesFor(ctx, type);
    if (roles.size > 0)
      conditions.push(sql<boolean>`(a.task_type = ${type} and ${waitingFor({ userId: ctx.actor.userId, path: ctx.scope.path, roles })})`);
  }
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

export const pageAudits: Handler<typeof approvalCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const asked = valuesOf(criteria.taskType);
  const mine = await mineOf(
    ctx,
    typesSeen(ctx).filter((type) => !asked || asked.some((one) => one === type)),
  );
  const query = seenBy(ctx)
    .where(all(auditConditions(criteria, ctx.now()), criteria.mine ? mine : undefined))
    .select(mine.as('mine'));
  return page(ctx.db, query, {
    page: wanted,
    sorts: auditSorts,
    id: 'a.id',
    map: (row: ListedAudit & { mine: boolean }) => ({ ...headOf(row, ctx.now()), mine: row.mine, ...allowing<string>([]) }),
  });
};

export interface Beside {
  readonly auditStep?: string | undefined;
  readonly businessType?: string | undefined;
  readonly id?: number | undefined;
}
export interface Lookup extends Beside {
  readonly taskAuditId: number;
}
const isOr = <T>(asked: T | undefined, found: T): boolean => asked === undefined || asked === found;
/** Whether what is said of an approval besides fits it. */
export const fitsBeside = (row: Pick<ListedAudit, 'step' | 'task_type' | 'task_id'>, { auditStep, businessType, id }: Beside): boolean =>
  isOr(auditStep, row.step) && isOr(businessType, row.task_type) && isOr(id, row.task_id);

/** One that the actor sees; what is said of it besides must fit. */
export async function auditFor(ctx: Ctx, { taskAuditId, ...besides }: Lookup): Promise<ListedAudit> {
  const row = await seenBy(ctx).where('a.id', '=', taskAuditId).executeTakeFirst();
  if (!row || !fitsBeside(row, besides)) throw fault('NOT_FOUND');
  return row;
}

export async function showAudit(ctx: Ctx, lookup: Lookup): Promise<z.input<typeof AuditShown>> {
  const row = await auditFor(ctx, lookup);
  const person = await personFor(ctx, row);
  const { acts, ...rest } = await ctx.readOnly((db) => actionsFor(ctx, db, row, person));
  return { ...headOf(row, ctx.now()), ...rest, ...allowing(acts) };
}

/** What waits for the actor, by type and class. Nobody has a thousand open at once; above it the menu says so. */
export async function waitingByType(ctx: Ctx): Promise<ReadonlyMap<string, { daily: number; preset: number }>> {
  const mine = await mineOf(ctx, typesSeen(ctx));
  const { rows } = await sql<{ type: string; class: string; n: number }>`
    select task_type as type, task_class as class, count(*)::int as n
    from (select a.task_type, a.task_class from approval_audit a where ${mine} limit ${MOST}) w group by 1, 2`.execute(ctx.db);
  const found = new Map<string, { daily: number; preset: number }>();
  for (const row of rows) {
    const before = found.get(row.type) ?? { daily: 0, preset: 0 };
    found.set(row.type, row.class === '1' ? { ...before, daily: row.n } : { ...before, preset: row.n });
  }
  return found;
}
const MOST = 1000;
