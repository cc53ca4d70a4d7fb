import type { TaskClass } from '@mooring/contract/engines/rollout/schemas';
import { fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import { bulkEach } from '../../platform/bulk-each.ts';
import type { Ctx } from '../../platform/context.ts';
import { type Many, MOST } from './many.ts';
import { cancelTask, pauseTask, recoverTask } from './move-task.ts';
import type { RolloutKind } from './task.ts';
import { type TaskCriteria, taskConditions } from './task-queries.ts';
import { gated, taskRow, tasksWithPackage } from './task-row.ts';
import { deleteTask } from './write-task.ts';

const taskActs = {
  pause: pauseTask,
  recover: recoverTask,
  cancel: cancelTask,
  delete: deleteTask,
};

/** One act on many releases; those that it isn't for are named. */
export async function manyTasks(
  ctx: Ctx,
  kind: RolloutKind,
  taskClass: TaskClass,
  act: keyof typeof taskActs,
  { of, preview }: Many<TaskCriteria>,
): Promise<BulkOutcome> {
  const which =
    'ids' in of
      ? sql<boolean>`t.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${taskConditions(of.criteria)} and t.id <> all(${of.except}::bigint[])`;
  const found = await ctx.withScope((inner) =>
    tasksWithPackage(inner, [kind.of.kind])
      .where('t.task_class', '=', taskClass)
      .where(which)
      .orderBy('t.id')
      .limit(MOST + 1)
      .execute(),
  );
  if (found.length > MOST) throw fault('TOO_LARGE');
  const isGated = await ctx.withScope((inner) => gated(inner, kind, found));
  const rows = found.map((row) => ({ id: row.id, label: row.name, may: taskRow(ctx, kind, row, {}, isGated(row)).allowedActions }));
  return bulkEach(ctx, rows, {
    preview,
    fits: (row) => row.may.includes(act),
    fault: 'OVERTAKEN',
    act: (inner, row) => taskActs[act](inner, kind, row.id),
  });
}
