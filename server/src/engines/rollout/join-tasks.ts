import { taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { invalidateTasks } from './handle-results.ts';
import { matching, statesOf } from './match.ts';
import { ringOf } from './ring-of.ts';
import { aimOf, takingIn } from './select-targets.ts';
import { kindNamed, type RolloutKind, readTask, type Task, type TaskRow } from './task.ts';

const JOIN = 'rollout.joinPreTasks';
/** Of a terminal that has just been in contact for the first time. */
const active: readonly string[] = ['2', '3'];
const underWay = sql`state in ('scheduled', 'running', 'paused', 'halted')`;
const takesIn = sql<boolean>`(task_class = ${taskClasses.preset} or delivery @> '{"laterMembers":true}')`;

/** Whether more terminals may join: only its expiry or a person ends it. */
export const staysOpen = ({ task_class: of, delivery }: Pick<Task, 'task_class' | 'delivery'>): boolean =>
  of === taskClasses.preset || delivery.laterMembers;

/** Terminals had their first contact, came into reach or changed: tasks that are for them, and still take in, have them join. */
export async function mayJoin(db: Db, app: Pick<AppContext, 'enqueue'>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const open = await sql`select 1 from rollout_task where ${takesIn} and ${underWay} limit 1`.execute(db);
  if (open.rows.length > 0) await app.enqueue(db, JOIN, { ids });
}

/** A rule of a group is another: releases that are for it, and still take in, look for their terminals once more. */
export const groupChanged = (db: Db, app: Pick<AppContext, 'enqueue'>, groupId: number): Promise<unknown> =>
  app.enqueue(db, JOIN, { groupId });

/** Also those of organisations above, which whoever changed the group may only see: so it is done by the job. */
const gatherAnew = (db: Db, groupId: number) =>
  sql`update rollout_task set gathered_at = null, gathered_to = 0 where ${groupId} = any(group_ids) and ${takesIn} and ${underWay}`.execute(
    db,
  );

/** Twice is harmless: a terminal is in a task once. */
export async function joinTasks(db: Db, ctx: Ctx, kinds: readonly RolloutKind[], ids: readonly number[]): Promise<void> {
  const found = await sql<TaskRow>`
    select t.* from rollout_task t where ${takesIn} and ${underWay}
      and (t.product_id is null or t.product_id in (select product_id from device where id = any(${ids}::bigint[]))) order by t.id`.execute(
    db,
  );
  for (const row of found.rows) {
    const kind = kindNamed(kinds, row.kind);
    if (!kind) continue;
    const task = readTask(row);
    const isPreset = task.task_class === taskClasses.preset;
    const aim = await aimOf(db, kind, task, isPreset ? active : statesOf(task.task_class));
    const condition = await matching(db, aim, sql<boolean>`d.id = any(${ids}::bigint[])`);
    const joining = sql`device d where ${condition}`;
    const ring = await ringOf(db, task.delivery.rings, null);
    await sql`${takingIn(task, { part: aim.part, runs: aim.runs, ring, from: joining, now: ctx.now() })}`.execute(db);
  }
  await invalidateTasks(
    db,
    ctx,
    kinds,
    found.rows.map((row) => row.id),
  );
}

export const joinTasksJob = (kinds: readonly RolloutKind[]) =>
  job({
    name: JOIN,
    payload: z.union([z.object({ ids: z.array(z.int()) }), z.object({ groupId: z.int() })]),
    run: (ctx, of) =>
      ctx.unscoped(async (db) => {
        await ('ids' in of ? joinTasks(db, ctx, kinds, of.ids) : gatherAnew(db, of.groupId));
      }),
  });
