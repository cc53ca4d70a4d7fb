import { taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { closeResults } from './close.ts';
import type { Task } from './task.ts';

/** Whether a task `o` gives way to a task `t` where a terminal is in both: the one that began before. */
export const givesWay = sql<boolean>`(t.delivery ->> 'onBusy' = 'replace' and t.task_class = ${taskClasses.daily} and o.id <> t.id and o.kind = t.kind and o.subject = t.subject
  and o.state in ('scheduled', 'running', 'paused', 'halted') and (o.started_at, o.id) < (t.started_at, t.id))`;

/** Tasks that give way to this one. */
export async function givingWay(db: Db, { id, delivery }: Task): Promise<number[]> {
  if (delivery.onBusy !== 'replace') return [];
  const found = await sql<{ id: number }>`
    select o.id from rollout_task t join rollout_task o on ${givesWay} where t.id = ${id}`.execute(db);
  return found.rows.map((row) => row.id);
}

interface ToSend {
  readonly device_id: number;
}

/**
 * What terminals were to get of these tasks ends as they are sent a newer one: whom that never reaches keeps the older. Answers those who are free of them;
 * what somebody else holds at this moment, who may wait for a row of ours, is let go of at the next turn.
 */
export async function replaceOlder<T extends ToSend>(db: Db, app: AppContext, rows: readonly T[], tasks: readonly number[]): Promise<T[]> {
  if (tasks.length === 0 || rows.length === 0) return [...rows];
  const open = sql`
    select id, device_id from rollout_result where device_id = any(${rows.map((row) => row.device_id)}::bigint[]) and task_id = any(${tasks}::bigint[])
      and state in ('1', '2', '8')`;
  const found = await sql<{ id: number; device_id: number }>`${open}`.execute(db);
  if (found.rows.length === 0) return [...rows];
  const held = await sql<{ id: number }>`${open} order by id for update skip locked`.execute(db);
  const ids = held.rows.map((row) => row.id);
  const own = new Set(ids);
  const others = new Set(found.rows.filter((row) => !own.has(row.id)).map((row) => row.device_id));
  const free = new Set(rows.filter((row) => !others.has(row.device_id)).map((row) => row.device_id));
  const mine = sql<boolean>`id = any(${ids}::bigint[]) and device_id = any(${[...free]}::bigint[])`;
  await closeResults(db, app, mine, 'cancel', 'replaced', ids.length);
  return rows.filter((row) => free.has(row.device_id));
}
