import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Adds up the counters' differences. Twice, or two at once, gives the same sums: each takes away only rows that it saw and adds their sum. */
export const foldTally = (db: Db) =>
  sql`
  with gone as (delete from device_tally where ctid = any(array(select ctid from device_tally order by dept_path limit 200000 for update skip locked)) returning *)
  insert into device_tally select dept_path, product_id, status, firmware, sum(n) from gone group by 1, 2, 3, 4 having sum(n) <> 0`.execute(
    db,
  );

/** Deleted devices are kept for 30 days. */
export const forgetDeleted = (db: Db, now: Date) =>
  sql`
  delete from device where id in (select id from device where deleted_at < ${now}::timestamptz - interval '30 days' limit 5000)`.execute(
    db,
  );
