import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { isStillFor } from './left.ts';
import { resultRows } from './task.ts';

/** Where it stands now: what had ended didn't follow it there. */
const itsPath = sql`(select d.dept_path from device d where d.id = t.device_id)`;
const LONGEST_WAIT_SECONDS = 6 * 3600;

/**
 * Failed results with tries left wait for their next one, longer each time; only where the task still runs. Called in the transaction
 * that failed them, so that nobody sees a failure that is about to be tried again.
 */
export async function retryByThemselves(db: Db, app: AppContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await sql<{ id: number }>`
    select r.id from rollout_result r join rollout_task t on t.id = r.task_id
    where r.id = any(${ids}::bigint[]) and r.tries_left > 0 and r.state in ('4', '5') and t.state in ('running', 'paused', 'halted') and (t.expires_at is null or t.expires_at > ${app.now()}) and ${isStillFor('r')}`.execute(
    db,
  );
  if (found.rows.length === 0) return;
  const wait = sql`(select (t2.delivery->>'retryWaitSeconds')::int from rollout_task t2 where t2.id = t.task_id)`;
  await move(
    db,
    resultRows,
    'retry',
    found.rows.map((row) => row.id),
    {
      set: {
        tries_left: sql`t.tries_left - 1`,
        next_at: sql`${app.now()}::timestamptz + least(${wait} * power(2, greatest(t.attempts - 1, 0)), ${LONGEST_WAIT_SECONDS}) * interval '1 second'`,
        changed_at: app.now(),
        ended_at: null,
        dept_path: itsPath,
        due_at: null,
      },
      detail: { automatic: true },
    },
  );
}

/** A person tries failed ones again: at once, with the tries of the task anew. Answers the ids that were moved. */
export async function retryByPerson(
  db: Db,
  app: Pick<AppContext, 'now'>,
  ids: readonly number[],
  retries: number,
  actorId: number,
): Promise<number[]> {
  const moved = await move(db, resultRows, 'retry', ids, {
    actorId,
    set: {
      tries_left: retries,
      changed_at: app.now(),
      dept_path: itsPath,
      ended_at: null,
      due_at: null,
      phase: null,
      percent: null,
      next_at: sql`case when exists (select from device_presence p where p.device_id = t.device_id and p.online) then ${app.now()}::timestamptz else 'infinity' end`,
    },
  });
  return moved.map((row) => row.id);
}
