import { sql } from 'kysely';
import type { Db } from '../context.ts';

/** Says, in the transaction of the change, that rows of a group changed below some paths. Read by `live-hub`. */
export async function invalidate(db: Db, group: string, ...paths: readonly string[]): Promise<void> {
  await sql`insert into live_touch (call_group, dept_path) select ${group}, unnest(${paths}::text[])`.execute(db);
}
