import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** How long a terminal may be silent, by its task. */
export const silenceOf = (delivery: RawBuilder<unknown>) => sql`(${delivery}->>'timeoutMinutes')::int * interval '1 minute'`;

/** A terminal that says that it waits (for a network, a restart, its user) is given this long to say more. */
const patience = (delivery: RawBuilder<unknown>) => sql`coalesce((${delivery}->>'waitingDays')::int, 7) * interval '1 day'`;

/**
 * When the silence after this word is too long. While the terminal waits, the clock stands still: until its window was open (`opened`, null where
 * it waits for something else), else for days.
 */
export const clockOf = (phase: RawBuilder<unknown>, delivery: RawBuilder<unknown>, opened: RawBuilder<unknown>, now: Date) =>
  sql`case when ${phase} = 'waiting' then coalesce(${opened} + ${silenceOf(delivery)}, ${now}::timestamptz + ${patience(delivery)})
    else ${now}::timestamptz + ${silenceOf(delivery)} end`;

/** Put off by steps of a tenth: `due_at` is indexed, and a row whose indexed columns stay is rewritten in its page alone. */
export const movedClock = (due: RawBuilder<unknown>, next: RawBuilder<unknown>, silence: RawBuilder<unknown>) =>
  sql`case when abs(extract(epoch from ${next} - ${due})) < extract(epoch from ${silence}) / 10 then ${due} else ${next} end`;

/** Terminals are out of contact: the clock of those that waited runs again. */
export async function restartClocks(db: Db, deviceIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update rollout_result r set due_at = ${now}::timestamptz + ${silenceOf(sql`t.delivery`)} from rollout_task t
    where t.id = r.task_id and r.state = '2' and r.phase = 'waiting' and r.id = any(array(
      select o.id from unnest(${deviceIds}::bigint[]) as d(id), lateral (select x.id from rollout_result x where x.device_id = d.id and x.state = '2' offset 0) o
    ))`.execute(db);
}
