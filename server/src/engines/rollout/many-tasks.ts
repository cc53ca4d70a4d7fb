import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import { bulkEach } from '../../platform/bulk-each.ts';
import type { Ctx } from '../../platform/context.ts';
import { type Many, MOST } from './many.ts';
import { cancelTask, pauseTask, recoverTask } from './move-task.ts';
import { type GeneralCriteria, kindsFor } from './page-tasks.ts';
import type { RolloutKind } from './task.ts';
import { type TaskCriteria, taskConditions } from './task-queries.ts';
import { taskRow, tasksWithPackage, withKind } from './task-row.ts';
import { deleteTask } from './write-task.ts';

const taskActs = {
  pause: pauseTask,
  recover: recoverTask,
  cancel: cancelTask,
  delete: deleteTask,
};

type ManyAct = keyof typeof taskActs;

/** One act on many releases of these kinds; those that it isn't for are named. */
export async function manyTasks(
  ctx: Ctx,
  kinds: readonly RolloutKind[],
  taskClass: TaskClass,
  act: ManyAct,
  { of, preview }: Many<TaskCriteria>,
): Promise<BulkOutcome> {
  const which =
    'ids' in of
      ? sql<boolean>`t.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${taskConditions(of.criteria)} and t.id <> all(${of.except}::bigint[])`;
  const found = await ctx.withScope((inner) =>
    tasksWithPackage(
      inner,
      kinds.map(({ of: { kind } }) => kind),
    )
      .where('t.task_class', '=', taskClass)
      .where(which)
      .orderBy('t.id')
      .limit(MOST + 1)
      .execute(),
  );
  if (found.length > MOST) throw fault('TOO_LARGE');
  const listed = await ctx.withScope((inner) => withKind(inner, kinds, found));
  const rows = listed.map(({ row, kind, isGated }) => ({
    id: row.id,
    label: row.name,
    kind,
    may: taskRow(ctx, kind, row, {}, isGated).allowedActions,
  }));
  return bulkEach(ctx, rows, {
    preview,
    fits: (row) => row.may.includes(act),
    fault: 'OVERTAKEN',
    act: (inner, row) => taskActs[act](inner, row.kind, row.id),
  });
}

/** The same on general releases of whichever kinds the person may see. */
export const manyGeneralTasks =
  (kinds: readonly RolloutKind[], act: ManyAct) =>
  async (ctx: Ctx, { of, preview }: Many<GeneralCriteria>): Promise<BulkOutcome> => {
    const { kind: asked, ...criteria } = 'ids' in of ? ({} as GeneralCriteria) : of.criteria;
    const seen = kindsFor(ctx, kinds, asked, ['page']);
    const which = 'ids' in of ? of : { criteria, except: of.except };
    const outcome = await manyTasks(ctx, seen, taskClasses.daily, act, { of: which, preview });
    // The page of one is asked for by the calls of its kind.
    if (outcome.done > 0)
      await ctx.inTx(async (db) => {
        for (const { of: one } of seen) await ctx.invalidate(db, one.paths.tasks);
      });
    return outcome;
  };
