import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { closeResults } from './close.ts';
import { matching } from './match.ts';
import type { Task, TaskKind } from './task.ts';

// Each batch adds a sum for each organisation, of which there may be ten thousand.
const BATCH = 100_000;

/** Ring of a device: a stable hash of its SN picks among the cumulated shares. */
function ringOf(task: Task) {
  if (task.delivery.rings.length === 1) return sql<number>`1`;
  let reached = 0;
  const bounds = task.delivery.rings.map((ring) => (reached += ring.share));
  const total = Math.max(100, reached);
  return sql<number>`coalesce((select min(i) from unnest(${bounds}::int[]) with ordinality as u(bound, i) where abs(hashtextextended(d.sn, 0) % ${total}) < bound), ${bounds.length})::int`;
}

/** Freezes the devices of an enabled task, a batch a transaction; a process that dies in between goes on where it stopped. */
export async function selectTargets(db: Db, app: AppContext, kind: TaskKind, task: Task): Promise<void> {
  const version = await kind.targetVersion(db, task);
  const condition = await matching(db, { productId: task.product_id, deptPath: task.dept_path, scope: task.scope, version });
  const found = await sql<{ n: number; last: number | null }>`
    with batch as (
      select d.id, d.sn, d.dept_path, d.firmware, d.status from device d where d.id > ${task.gathered_to} and ${condition} order by d.id limit ${BATCH}
    ), added as (
      insert into rollout_result (task_id, kind, device_id, sn, ring, next_at, tries_left, from_version, dept_path)
      select ${task.id}, ${task.kind}, d.id, d.sn, ${ringOf(task)}, case when d.status = '3' then ${app.now()}::timestamptz else 'infinity' end, ${task.delivery.retries}, d.firmware, d.dept_path from batch d
      on conflict (task_id, device_id) do nothing
    )
    select count(*)::int as n, max(id) as last from batch`.execute(db);
  const { n, last } = found.rows[0] ?? { n: 0, last: null };
  const isAll = n < BATCH;
  await db
    .updateTable('rollout_task')
    .set({ gathered_to: last ?? task.gathered_to, ...(isAll ? { gathered_at: app.now() } : {}) })
    .where('id', '=', task.id)
    .execute();
  if (task.delivery.onBusy === 'replace' && last !== null) {
    await closeResults(
      db,
      app,
      sql<boolean>`task_id <> ${task.id} and kind = ${task.kind} and device_id in (select device_id from rollout_result where task_id = ${task.id} and device_id > ${task.gathered_to})`,
      'cancel',
      'replaced',
      BATCH,
    );
  }
}
