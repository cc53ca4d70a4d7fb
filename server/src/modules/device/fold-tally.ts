import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Of so many counters the differences are added up in one turn. */
const FOLDED = 20_000;

/**
 * Adds up the counters' differences; a counter that is one row already isn't written again. Twice, or two at once, gives the same sums:
 * each takes away only rows that it saw and adds their sum.
 */
export const foldTally = (db: Db) =>
  sql`
  with several as (
    select dept_path, product_id, status, firmware from device_tally group by 1, 2, 3, 4 having count(*) > 1 or sum(n) = 0 limit ${FOLDED}
  ), gone as (
    delete from device_tally where ctid = any(array(
      select t.ctid from several join device_tally t using (dept_path, product_id, status, firmware) for update of t skip locked
    )) returning *
  )
  insert into device_tally select dept_path, product_id, status, firmware, sum(n) from gone group by 1, 2, 3, 4 having sum(n) <> 0`.execute(
    db,
  );

/** The same for how many are in a group. */
export const foldGroups = (db: Db) =>
  sql`
  with several as (
    select group_id from device_group_tally group by 1 having count(*) > 1 limit ${FOLDED}
  ), gone as (
    delete from device_group_tally where ctid = any(array(
      select t.ctid from several join device_group_tally t using (group_id) for update of t skip locked
    )) returning *
  )
  insert into device_group_tally select group_id, sum(n), min(dept_path) from gone group by 1`.execute(db);

/** Deleted devices are kept for 30 days; of their certificates it is known until they end that they count no longer. */
export async function forgetDeleted(db: Db, now: Date): Promise<void> {
  const found = await sql<{ id: number }>`
    select id from device where deleted_at < ${now}::timestamptz - interval '30 days' order by id limit 5000 for update`.execute(db);
  const ids = found.rows.map((row) => row.id);
  await sql`
    insert into device_gone (serial, sn, gone_at, expires_at)
    select c.serial, d.sn, ${now}, c.expires_at from device_credential c join device d on d.id = c.device_id
    where d.id = any(${ids}::bigint[]) and c.expires_at > ${now} on conflict do nothing`.execute(db);
  // Nothing but commands stays once it is answered: said, so that each half has its index and no message of the others is read.
  await sql`delete from gateway_outbox where device_id = any(${ids}::bigint[]) and (topic = 'command' or state in ('waiting', 'sent'))`.execute(
    db,
  );
  await sql`delete from device where id = any(${ids}::bigint[])`.execute(db);
}
