import { endedTasks } from '@mooring/contract/engines/rollout/state-machines';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { readTask, type Task } from './task.ts';

/** Who changed it since it was made. */
export async function editorsOf(db: Db, id: number): Promise<readonly number[]> {
  const row = await db.selectFrom('rollout_task').select('editor_ids').where('id', '=', id).executeTakeFirst();
  return row?.editor_ids.map(Number) ?? [];
}

/** For whoever agrees to releases: a release as it stands, past the range policy. */
export async function taskToAgree(db: Db, id: number): Promise<Task | undefined> {
  const row = await db.selectFrom('rollout_task').selectAll().where('id', '=', id).executeTakeFirst();
  return row && readTask(row);
}

/** Whether it has begun, with its terminals chosen and counted, however few they are; where nothing puts it off, that is a matter of seconds. */
export async function isCounted(db: Db, id: number): Promise<boolean> {
  const found = await sql`select from rollout_task t where t.id = ${id} and t.gathered_at is not null and t.started_at is not null
      and (exists (select from rollout_tally y where y.task_id = t.id) or not exists (select from rollout_result r where r.task_id = t.id))`.execute(
    db,
  );
  return found.rows.length > 0;
}

/** Counters `y` of a task's open rings at organisations, by what the engine keeps. What was cancelled or deleted is nobody's. */
const inOpenRings = (
  taskId: RawBuilder<unknown>,
) => sql`rollout_tally y join rollout_task t on t.id = y.task_id join org_dept o on o.dept_path = y.dept_path
  where y.task_id = ${taskId} and y.ring <= t.open_ring and o.kind = 'organisation' and y.state not in ('9', '10')`;

const OWNERS = 1000;
/** Organisations that have terminals in the rings that are open. */
export async function ownersInOpenRings(db: Db, id: number): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select y.dept_path as path from ${inOpenRings(sql`${id}`)}
    group by y.dept_path having sum(y.n) > 0 order by y.dept_path limit ${OWNERS}`.execute(db);
  return rows.map((row) => row.path);
}

/** Whether a release is over, by itself or by a person, or is gone. */
export async function hasEnded(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('rollout_task').select('state').where('id', '=', id).executeTakeFirst();
  return !row || endedTasks.some((state) => state === row.state);
}

/** Whether organisations at and below a path have terminals in the open rings of a release `taskId` (an expression). */
export const isInOpenRings = (taskId: string, path: string) => sql<boolean>`exists (
  select from ${inOpenRings(sql.ref(taskId))} and y.dept_path >= ${path} and y.dept_path < ${`${path}~`}
  group by y.dept_path having sum(y.n) > 0)`;
/** Whether any organisation has, also those that the asking person doesn't see. */
export const hasOwners = (taskId: string) => sql<boolean>`rollout_has_owners(${sql.ref(taskId)})`;

/** Whether a release `taskId` (an expression) has terminals at and below a path. */
export const hasTerminalsOf = (taskId: string, path: string) => sql<boolean>`exists (
  select from rollout_tally y where y.task_id = ${sql.ref(taskId)} and y.dept_path >= ${path} and y.dept_path < ${`${path}~`} and y.n > 0)`;
