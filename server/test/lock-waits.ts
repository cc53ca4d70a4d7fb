import { sql } from 'kysely';
import type { Db } from '../src/platform/context.ts';

/** How many of this database wait for a lock. Others run beside it in the same cluster, and transactions that wait for each other name no database. */
export async function lockWaits(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks
    where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db);
  return rows[0]?.n ?? 0;
}
