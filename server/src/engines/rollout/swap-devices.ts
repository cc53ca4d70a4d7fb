import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { closeResults } from './close.ts';
import { dropWanted } from './drift/note-wanted.ts';
import { invalidateTasks } from './handle-results.ts';
import { matching, statesOf } from './match.ts';
import { aimOf, takingIn } from './select-targets.ts';
import { kindNamed, type RolloutKind, readTask, type TaskRow } from './task.ts';

export const SWAP_DEVICES = 'rollout.swapDevices';
const Swap = z.object({ from: z.int(), to: z.int() });
/** Open results of one terminal: it is in one task of a kind at most, and waits in some more. */
const MOST = 1000;

/**
 * What was still on its way to a terminal goes to the one in its place: its open results end with reason `swapped`, and the other gets one in
 * the same ring of each task that can be for it, whomever the task was for. Twice is harmless: nothing is open any more.
 */
async function swapDevices(db: Db, ctx: Ctx, kinds: readonly RolloutKind[], { from, to }: z.output<typeof Swap>): Promise<void> {
  const open = await sql<TaskRow & { ring: number }>`
    select t.*, r.ring from rollout_result r join rollout_task t on t.id = r.task_id
    where r.device_id = ${from} and r.state in ('1', '2', '8') order by t.id`.execute(db);
  for (const row of open.rows) {
    const kind = kindNamed(kinds, row.kind);
    if (!kind) continue;
    const task = readTask(row);
    const aim = await aimOf(db, kind, task, statesOf(task.task_class));
    const fits = await matching(db, { ...aim, scope: { releaseScope: '0' } }, sql<boolean>`d.id = ${to}`);
    await sql`${takingIn(task, { part: aim.part, runs: aim.runs, ring: sql`${row.ring}::int`, from: sql`device d where ${fits}`, now: ctx.now() })}`.execute(
      db,
    );
  }
  await closeResults(db, ctx, sql`device_id = ${from}`, 'cancel', 'swapped', MOST);
  await dropWanted(db, ctx, from);
  await invalidateTasks(
    db,
    ctx,
    kinds,
    open.rows.map((row) => row.id),
  );
}

export const swapDevicesJob = (kinds: readonly RolloutKind[]) =>
  job({ name: SWAP_DEVICES, payload: Swap, run: (ctx, of) => ctx.unscoped((db) => swapDevices(db, ctx, kinds, of)) });
