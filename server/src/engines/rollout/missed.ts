import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/**
 * Put off a moment ago, and the terminal is in contact: its hello was being written while it was chosen, or put off, and neither saw the other.
 * Nothing else would wake it before the terminal's next absence.
 */
export const missed = (now: Date) => sql`
  select r.id from rollout_result r join device d on d.id = r.device_id join device_presence p on p.device_id = r.device_id
  where r.state = '1' and r.next_at = 'infinity' and r.changed_at > ${now}::timestamptz - interval '2 minutes' and d.status = '3' and p.online`;

export const wakeMissed = (db: Db, now: Date) =>
  sql`update rollout_result set next_at = ${now} where id in (${missed(now)} for update of r skip locked)`.execute(db);
