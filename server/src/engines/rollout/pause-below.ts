import type { PauseReason } from '@mooring/contract/engines/rollout/state-machines';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { takesIn } from './join-tasks.ts';
import { taskRows } from './task.ts';

/** Pauses running tasks and takes back those that would start by themselves. Answers which. */
export async function pauseTasks(db: Db, mine: RawBuilder<unknown>, actorId: number, reason: PauseReason): Promise<number[]> {
  const why = { actorId, detail: { reason } };
  const paused = await move(db, taskRows, 'pause', mine, { ...why, set: { halt_reason: reason } });
  const held = await move(db, taskRows, 'disable', mine, { ...why, set: { gathered_at: null, gathered_to: 0 } });
  const ids = held.map((row) => row.id);
  if (ids.length > 0) await db.deleteFrom('rollout_result').where('task_id', 'in', ids).execute();
  return [...paused.map((row) => row.id), ...ids];
}

/** The tasks at and below a path. */
export const pauseBelow = async (db: Db, path: string, actorId: number): Promise<number> =>
  (await pauseTasks(db, sql`dept_path >= ${path} and dept_path < ${`${path}~`}`, actorId, 'deptDisabled')).length;

/** Of an organisation that another one takes in: what isn't counted yet, or takes in later terminals, would go on to all of the other's. */
export const pauseMerged = (db: Db, dept: number, actorId: number) =>
  pauseTasks(db, sql`dept_id = ${dept} and (gathered_at is null or ${takesIn})`, actorId, 'deptMerged');

/** Tasks that aren't released yet and name a department aim at the one that took it in. */
export async function retargetDept(db: Db, from: number, to: number): Promise<void> {
  await sql`
    update rollout_task set scope = jsonb_set(scope, '{deptIds}',
      (select coalesce(jsonb_agg(distinct case when one = ${from} then ${to}::bigint else one end), '[]') from jsonb_array_elements_text(scope -> 'deptIds') e, lateral (select e::bigint as one) n))
    where state in ('draft', 'auditing', 'returned', 'ready') and scope -> 'deptIds' @> to_jsonb(${from}::bigint)`.execute(db);
}
