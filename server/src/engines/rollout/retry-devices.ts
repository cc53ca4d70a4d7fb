import { failedResults, retriedIn } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { checkAlong } from './along.ts';
import { isStillFor } from './left.ts';
import { resultConditions } from './result-queries.ts';
import { retryByPerson } from './retry.ts';
import { type RolloutKind, readTask, taskRows } from './task.ts';
import { ownTask } from './task-row.ts';

const AT_ONCE = 100_000;
const FAILED_SHOWN = 100;

/** Failed and timed-out devices go out again, as long as the task is for them. A finished task runs again, until its expiry. */
export async function retryDevices(ctx: Ctx, kind: RolloutKind, input: ParsedInputOf<TaskDeviceCalls['retry']>): Promise<BulkOutcome> {
  const { of } = input;
  const condition =
    'ids' in of
      ? sql<boolean>`r.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${resultConditions(of.criteria)} and r.id <> all(${of.except}::bigint[])`;
  const found = await sql<{
    id: number;
    task_id: number;
    state: string;
    sn: string;
    goes: boolean;
  }>`select r.id, r.task_id, r.state, r.sn, ${isStillFor('r')} as goes from rollout_result r where r.kind = ${kind.of.kind} and ${condition} order by r.id limit ${AT_ONCE}`.execute(
    ctx.db,
  );
  const failed = found.rows.filter((row) => row.goes && failedResults.includes(row.state));
  if (input.preview) return outcomeOf(found.rows, new Set(failed.map((row) => row.id)));
  const done = new Set<number>();
  for (const taskId of new Set(failed.map((row) => row.task_id))) {
    const task = readTask(await ownTask(ctx, kind.of, taskId));
    checkAlong(ctx, kind, task, 'retry');
    if (!retriedIn.includes(task.state)) continue;
    if (task.expires_at && task.expires_at <= ctx.now()) throw new Fault('TASK_EXPIRED');
    // Without its package they would wait for ever.
    await kind.check(ctx, task);
    const mine = failed.filter((row) => row.task_id === taskId);
    const moved = await retryByPerson(
      ctx.db,
      ctx,
      mine.map((row) => row.id),
      task.delivery.retries,
      ctx.actor.userId,
    );
    if (moved.length > 0) await goesOn(ctx, taskId);
    for (const one of moved) done.add(one);
    ctx.audit({ target: task.name, after: { retried: moved.length } });
  }
  await ctx.invalidate(ctx.db, kind.of.paths.tasks);
  return outcomeOf(found.rows, done);
}

/**
 * A finished task runs again. Locked after its results, as all who write both do: a turn that ends it at this moment has counted none of what goes out
 * again, and is waited for. Fault: OVERTAKEN, where it was cancelled meanwhile.
 */
async function goesOn(ctx: Ctx, id: number): Promise<void> {
  const { rows } = await sql<{ state: string }>`select state from rollout_task where id = ${id} for no key update`.execute(ctx.db);
  const { state = '' } = rows[0] ?? {};
  if (!retriedIn.includes(state)) throw fault('OVERTAKEN');
  if (state === 'finished') await move(ctx.db, taskRows, 'retry', [id], { actorId: ctx.actor.userId, set: { ended_at: null } });
}

/** Whatever wasn't moved is refused, also where somebody else moved it a moment before. */
function outcomeOf(rows: readonly { id: number; sn: string }[], done: ReadonlySet<number>): BulkOutcome {
  const failed = rows.filter((row) => !done.has(row.id)).map((row) => ({ id: row.id, label: row.sn, fault: 'DEVICE_STATE' }));
  return { total: rows.length, done: done.size, refused: failed.length, failed: failed.slice(0, FAILED_SHOWN), work: null };
}
