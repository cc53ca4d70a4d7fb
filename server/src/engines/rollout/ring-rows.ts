import type { RingStanding } from '@mooring/contract/engines/rollout/rings';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { endsOf } from './decide.ts';
import { failedOf, ringState, soakedAt } from './rings.ts';
import { ringTallyOf } from './tally.ts';
import type { Task } from './task.ts';

type Of = Pick<Task, 'id' | 'dept_path'>;

export const ringRow = (db: Db, taskId: number, ring: number) =>
  db.selectFrom('rollout_ring').selectAll().where('task_id', '=', taskId).where('ring', '=', ring).executeTakeFirst();

/** Opens a ring; by nobody where the one before reached its share. */
export async function openRing(db: Db, task: Of, ring: number, now: Date, by: string | null): Promise<void> {
  await db.updateTable('rollout_task').set({ open_ring: ring }).where('id', '=', task.id).execute();
  await db
    .insertInto('rollout_ring')
    .values({ task_id: task.id, ring, opened_at: now, opened_by_name: by, dept_path: task.dept_path })
    .onConflict((on) => on.columns(['task_id', 'ring']).doNothing())
    .execute();
}

export async function markRing(db: Db, taskId: number, ring: number, set: { ready_at: Date } | { told_at: Date }): Promise<void> {
  await db.updateTable('rollout_ring').set(set).where('task_id', '=', taskId).where('ring', '=', ring).execute();
}

/** A person lets a halted task go on: what has failed so far halts it no more. */
export async function acceptFailures(db: Db, task: Pick<Task, 'id' | 'open_ring'>): Promise<void> {
  const tally = await ringTallyOf(db, task.id);
  const { failed, ended } = endsOf(tally);
  await db.updateTable('rollout_task').set({ accepted_failed: failed, accepted_ended: ended }).where('id', '=', task.id).execute();
  await db
    .updateTable('rollout_ring')
    .set({ accepted_failed: failedOf(tally.get(task.open_ring)) })
    .where('task_id', '=', task.id)
    .where('ring', '=', task.open_ring)
    .execute();
}

/** What each ring of a task stands at; under a policy with the counts of the scope's own devices only. */
export async function standingOf(db: Db, task: Task, now: Date): Promise<z.input<typeof RingStanding>[]> {
  const { rings } = task.delivery;
  const tally = await ringTallyOf(db, task.id);
  const rows = await db.selectFrom('rollout_ring').selectAll().where('task_id', '=', task.id).execute();
  return rings.map((ring, at) => {
    const no = at + 1;
    const row = rows.find((one) => one.ring === no);
    const counts = tally.get(no) ?? {};
    const readyAt = row?.ready_at ?? null;
    const state = row ? ringState({ no, openRing: task.open_ring, rings, counts, readyAt, gate: task.ring_gate }, now) : 'later';
    return {
      no,
      state,
      tally: counts,
      total: Object.values(counts).reduce((all, n) => all + n, 0),
      openedAt: row?.opened_at ?? null,
      openedBy: row?.opened_by_name ?? null,
      soakedAt: readyAt && ring.soakMinutes ? soakedAt(ring, readyAt) : null,
    };
  });
}

/** Locks the task while a person opens a ring; false where it has moved on meanwhile. */
export async function isNextRing(db: Db, taskId: number, ring: number, rings: number): Promise<boolean> {
  const found = await sql<{ ok: boolean }>`
    select state = 'running' and open_ring = ${ring - 1} as ok from rollout_task where id = ${taskId} for update`.execute(db);
  return ring <= rings && found.rows[0]?.ok === true;
}
