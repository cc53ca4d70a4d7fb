import type { taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import { resultConditions } from '../../engines/rollout/result-queries.ts';
import { retryByPerson } from '../../engines/rollout/retry.ts';
import { readTask, taskRows } from '../../engines/rollout/task.ts';
import type { Ctx } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { ownTask } from './task-row.ts';

const AT_ONCE = 100_000;

/** Failed and timed-out devices go out again. A finished task runs again, until its expiry. */
export async function retryDevices(ctx: Ctx, input: ParsedInputOf<typeof taskDeviceCalls.retry>): Promise<BulkOutcome> {
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
  }>`select r.id, r.task_id, r.state, r.sn from rollout_result r where ${condition} order by r.id limit ${AT_ONCE}`.execute(ctx.db);
  const failed = found.rows.filter((row) => ['4', '5', '7'].includes(row.state));
  const refused = found.rows.length - failed.length;
  const outcome: BulkOutcome = { total: found.rows.length, done: 0, refused, failed: [], work: null };
  if (input.preview) return { ...outcome, done: failed.length };
  for (const taskId of new Set(failed.map((row) => row.task_id))) {
    const task = readTask(await ownTask(ctx, taskId));
    if (task.expires_at && task.expires_at <= ctx.now()) throw new Fault('TASK_EXPIRED');
    const mine = failed.filter((row) => row.task_id === taskId);
    const moved = await retryByPerson(
      ctx.db,
      ctx,
      mine.map((row) => row.id),
      task.delivery.retries,
      ctx.actor.userId,
    );
    if (moved.length > 0 && task.state === 'finished')
      await move(ctx.db, taskRows, 'retry', [taskId], { actorId: ctx.actor.userId, set: { ended_at: null } });
    outcome.done += moved.length;
    ctx.audit({ target: task.name, after: { retried: moved.length } });
  }
  await ctx.invalidate(ctx.db, '/api/fotaUptask');
  return outcome;
}
