import { taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { invalidateTasks } from './handle-results.ts';
import { matching } from './match.ts';
import { aimOf, takingIn } from './select-targets.ts';
import { kindNamed, type RolloutKind, readTask, type TaskRow } from './task.ts';

const JOIN_PRE_TASKS = 'rollout.joinPreTasks';
/** Of a terminal that has just been in contact for the first time. */
const active: readonly string[] = ['2', '3'];

/** Terminals had their first contact: pre-tasks that are for them take them in, though they were added after the task. */
export async function firstContact(db: Db, app: Pick<AppContext, 'enqueue'>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const waiting = await sql`
    select 1 from rollout_task where task_class = ${taskClasses.preset} and state in ('scheduled', 'running', 'paused', 'halted') limit 1`.execute(
    db,
  );
  if (waiting.rows.length > 0) await app.enqueue(db, JOIN_PRE_TASKS, { ids });
}

async function join(db: Db, ctx: Ctx, kinds: readonly RolloutKind[], ids: readonly number[]): Promise<void> {
  const found = await sql<TaskRow>`
    select t.* from rollout_task t
    where t.task_class = ${taskClasses.preset} and t.state in ('scheduled', 'running', 'paused', 'halted')
      and (t.product_id is null or t.product_id in (select product_id from device where id = any(${ids}::bigint[]))) order by t.id`.execute(
    db,
  );
  for (const row of found.rows) {
    const kind = kindNamed(kinds, row.kind);
    if (!kind) continue;
    const task = readTask(row);
    const aim = await aimOf(db, kind, task, active);
    const condition = await matching(db, aim);
    const joining = sql`device d where d.id = any(${ids}::bigint[]) and ${condition}`;
    await sql`${await takingIn(db, task, aim.current, joining, ctx.now())}`.execute(db);
  }
  await invalidateTasks(
    db,
    ctx,
    kinds,
    found.rows.map((row) => row.id),
  );
}

/** Twice is harmless: a terminal is in a task once. */
export const joinPreTasksJob = (kinds: readonly RolloutKind[]) =>
  job({
    name: JOIN_PRE_TASKS,
    payload: z.object({ ids: z.array(z.int()) }),
    run: (ctx, { ids }) => ctx.unscoped((db) => join(db, ctx, kinds, ids)),
  });
