import type { TaskHead } from '@mooring/contract/engines/rollout/schemas';
import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { type TaskKind, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import type { Exact, Range } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedEvents, allowing } from '../../platform/allowed-actions.ts';
import type { Actor, Db } from '../../platform/context.ts';
import { all, contains, exact, range } from '../../platform/db/criteria.ts';
import type { TaskRow } from './task.ts';

export interface TaskCriteria {
  name?: string | undefined;
  state?: Exact<string> | undefined;
  productId?: Exact<number> | undefined;
  packageId?: Exact<number> | undefined;
  deptId?: Exact<number> | undefined;
  createdBy?: string | undefined;
  createdAt?: Range<string> | undefined;
  version?: string | undefined;
}
export type TaskPermissions = Readonly<Partial<Record<keyof typeof taskMachine.events, string>>>;
export type HeadRow = TaskRow & { readonly dept_name: string };
export const taskSorts = { createdAt: 't.created_at', name: 't.name' } as const;

/** Tasks of kinds that the scope may see: its own and those of above (design 2, "Inherited"). */
export const tasksOf = (db: Db, kinds: readonly string[]) =>
  db
    .selectFrom('rollout_task as t')
    .innerJoin('org_dept as o', 'o.id', 't.dept_id')
    .where('t.kind', '=', sql<string>`any(${kinds}::text[])`)
    .selectAll('t')
    .select('o.name as dept_name');

export const taskConditions = (criteria: TaskCriteria) =>
  all(
    contains('t.name', criteria.name),
    exact('t.state', criteria.state),
    exact('t.product_id', criteria.productId),
    exact('t.package_id', criteria.packageId),
    exact('t.dept_id', criteria.deptId),
    contains('t.created_by_name', criteria.createdBy),
    range('t.created_at', criteria.createdAt),
    contains('f.version', criteria.version),
  );

/** Which event of a task asks for which permission. Without a configured audit nothing is submitted by itself: a draft is released. */
export const permissionsOf = (kind: TaskKind): TaskPermissions => ({
  enable: taskPermission(kind, 'enable'),
  disable: taskPermission(kind, 'enable'),
  start: taskPermission(kind, 'enable'),
  pause: taskPermission(kind, 'pause'),
  recover: taskPermission(kind, 'pause'),
  cancel: taskPermission(kind, 'cancel'),
});

/** Moves are offered to the owner's people only; those below see the header. */
export function taskHead(
  row: HeadRow,
  tally: Readonly<Record<string, number>>,
  actor: Actor,
  scopePath: string,
  can: TaskPermissions,
): z.input<typeof TaskHead> {
  const owns = row.dept_path.startsWith(scopePath);
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    taskClass: row.task_class as '0' | '1',
    state: row.state,
    releaseScope: row.release_scope as '0' | '1' | '2',
    productId: row.product_id,
    deptId: row.dept_id,
    deptName: row.dept_name,
    createdBy: row.created_by_name,
    revision: row.revision,
    createdAt: row.created_at,
    startAt: row.start_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    expiresAt: row.expires_at,
    haltReason: row.halt_reason,
    total: Object.values(tally).reduce((sum, n) => sum + n, 0),
    tally,
    remark: row.remark,
    ...allowing(owns ? allowedEvents(taskMachine, row.state, actor, can) : []),
  };
}
