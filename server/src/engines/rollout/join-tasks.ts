import { taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { invalidateTasks } from './handle-results.ts';
import { activated, lookingAgain, matching, statesOf } from './match.ts';
import { afterAgreed, ringOf } from './ring-of.ts';
import { aimOf, takingIn } from './select-targets.ts';
import { kindNamed, type RolloutKind, readTask, type Task, type TaskRow } from './task.ts';

const JOIN = 'rollout.joinPreTasks';
const BATCH = 5000;
const underWay = sql`state in ('scheduled', 'running', 'paused', 'halted')`;
export const takesIn = sql<boolean>`(task_class = ${taskClasses.preset} or delivery @> '{"laterMembers":true}')`;

/** Whether more terminals may join: only its expiry or a person ends it. */
export const staysOpen = ({ task_class: of, delivery }: Pick<Task, 'task_class' | 'delivery'>): boolean =>
  of === taskClasses.preset || delivery.laterMembers;

/** Of terminals that were active before a pre-task began it takes none. */
const isNewTo = sql<boolean>`(o.task_class <> ${taskClasses.preset} or o.started_at is null or d.activated_at > o.started_at)`;

/** Tasks that take in and are for the product of terminals `d`, below their owner, which have no result there yet. */
const mayBeFor = (ids: readonly number[], isFirst: boolean) => sql<{ id: number }>`
  with open as materialized (select id, product_id, dept_path, task_class, started_at from rollout_task where ${takesIn} and ${underWay})
  select d.id from device d where d.id = any(${ids}::bigint[]) and exists (select from open) and exists (
    select from open o where (o.product_id is null or o.product_id = d.product_id) and starts_with(d.dept_path, o.dept_path)
      and ${isFirst ? sql`true` : isNewTo}
      and not exists (select from rollout_result r where r.task_id = o.id and r.device_id = d.id))`;

async function enqueueJoin(db: Db, app: Pick<AppContext, 'enqueue'>, ids: readonly number[], isFirst: boolean): Promise<void> {
  if (ids.length === 0) return;
  const found = await mayBeFor(ids, isFirst).execute(db);
  if (found.rows.length > 0) await app.enqueue(db, JOIN, { ids: found.rows.map((row) => row.id), ...(isFirst ? { first: true } : {}) });
}

/** Terminals came into reach, or are others than before: tasks that are for them, and still take in, have them join. */
export const mayJoin = (db: Db, app: Pick<AppContext, 'enqueue'>, ids: readonly number[]): Promise<void> =>
  enqueueJoin(db, app, ids, false);

/** Terminals had their first contact, for which pre-tasks wait. */
export const firstContact = (db: Db, app: Pick<AppContext, 'enqueue'>, ids: readonly number[]): Promise<void> =>
  enqueueJoin(db, app, ids, true);

/** A rule of a group is another: releases that are for it, and still take in, look for their terminals once more. */
export const groupChanged = (db: Db, app: Pick<AppContext, 'enqueue'>, groupId: number): Promise<unknown> =>
  app.enqueue(db, JOIN, { groupId });

/** Also those of organisations above, which whoever changed the group may only see: so it is done by the job. */
const gatherAnew = (db: Db, groupId: number) =>
  sql`update rollout_task set gathered_at = null, gathered_to = 0 where ${groupId} = any(group_ids) and ${takesIn} and ${underWay}`.execute(
    db,
  );

/** Twice is harmless: a terminal is in a task once. */
export async function joinTasks(db: Db, ctx: Ctx, kinds: readonly RolloutKind[], ids: readonly number[], isFirst = false): Promise<void> {
  const found = await sql<TaskRow>`
    select t.* from rollout_task t where ${takesIn} and ${underWay}
      and (t.product_id is null or t.product_id in (select product_id from device where id = any(${ids}::bigint[]))) order by t.id`.execute(
    db,
  );
  const joined: number[] = [];
  for (const row of found.rows) {
    const kind = kindNamed(kinds, row.kind);
    if (!kind) continue;
    const task = readTask(row);
    const chosen = await aimOf(db, kind, task, statesOf(task.task_class));
    const aim = isFirst && task.task_class === taskClasses.preset ? activated(chosen) : lookingAgain(chosen, task);
    const condition = await matching(db, aim, sql<boolean>`d.id = any(${ids}::bigint[])`);
    const joining = sql`device d where ${condition}`;
    const ring = afterAgreed(task, await ringOf(db, task.delivery.rings, null));
    const taken = await sql`${takingIn(task, { part: aim.part, runs: aim.runs, ring, from: joining, now: ctx.now() })}`.execute(db);
    if (taken.numAffectedRows) joined.push(row.id);
  }
  await invalidateTasks(db, ctx, kinds, joined);
}

/** All at and below a path, so many a transaction. */
export async function joinBelow(ctx: Ctx, kinds: readonly RolloutKind[], path: string): Promise<void> {
  let last = 0;
  for (;;) {
    const ids = await ctx.unscoped(async (db) => {
      const found = await sql<{ id: number }>`
        select d.id from device d where d.dept_path >= ${path} and d.dept_path < ${`${path}~`} and d.deleted_at is null and d.id > ${last}
          and exists (select from rollout_task where ${takesIn} and ${underWay}) order by d.id limit ${BATCH}`.execute(db);
      const some = found.rows.map((row) => row.id);
      if (some.length > 0) await joinTasks(db, ctx, kinds, some);
      return some;
    });
    last = ids.at(-1) ?? last;
    if (ids.length < BATCH) return;
  }
}

export const joinTasksJob = (kinds: readonly RolloutKind[]) =>
  job({
    name: JOIN,
    payload: z.union([z.object({ ids: z.array(z.int()), first: z.boolean().optional() }), z.object({ groupId: z.int() })]),
    run: (ctx, of) =>
      ctx.unscoped(async (db) => {
        await ('ids' in of ? joinTasks(db, ctx, kinds, of.ids, of.first) : gatherAnew(db, of.groupId));
      }),
  });
