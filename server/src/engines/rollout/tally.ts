import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import type { RingTally } from './decide.ts';

/** Device results of tasks by state, from the counters; under a policy, of the scope's own devices only. */
export async function talliesOf(db: Db, taskIds: readonly number[]): Promise<Map<number, Record<string, number>>> {
  const rows = await sql<{ task_id: number; state: string; n: number }>`
    select task_id, state, sum(n)::bigint as n from rollout_tally where task_id = any(${taskIds}::bigint[]) group by task_id, state having sum(n) <> 0`.execute(
    db,
  );
  const tallies = new Map<number, Record<string, number>>(taskIds.map((id) => [id, {}]));
  for (const row of rows.rows) Object.assign(tallies.get(row.task_id) ?? {}, { [row.state]: row.n });
  return tallies;
}

export async function ringTallyOf(db: Db, taskId: number): Promise<RingTally> {
  const rows = await sql<{ ring: number; state: string; n: number }>`
    select ring, state, sum(n)::bigint as n from rollout_tally where task_id = ${taskId} group by ring, state having sum(n) <> 0`.execute(
    db,
  );
  const tally = new Map<number, Record<string, number>>();
  for (const row of rows.rows) tally.set(row.ring, { ...tally.get(row.ring), [row.state]: row.n });
  return tally;
}

const FOLD_ABOVE = 2000;
/** Rows that were left when this process last folded a task: a task of ten thousand organisations has so many sums. */
const left = new Map<number, number>();

/** Adds up a task's signed differences when they have become many; whoever reads meanwhile sees the same sums. */
export async function foldTally(db: Db, taskId: number): Promise<void> {
  const above = Math.max(FOLD_ABOVE, 3 * (left.get(taskId) ?? 0));
  const many = await sql<{
    n: number;
  }>`select count(*)::int as n from (select 1 from rollout_tally where task_id = ${taskId} limit ${above}) t`.execute(db);
  if ((many.rows[0]?.n ?? 0) < above) return;
  const sums = await sql`
    with gone as (delete from rollout_tally where task_id = ${taskId} returning *)
    insert into rollout_tally select task_id, dept_path, ring, state, sum(n) from gone group by 1, 2, 3, 4 having sum(n) <> 0`.execute(db);
  left.set(taskId, Number(sums.numAffectedRows ?? 0));
}
