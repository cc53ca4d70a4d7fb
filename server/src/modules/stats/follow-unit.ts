import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { foldAll } from './fold.ts';

interface Follow {
  readonly from: string;
  readonly to: string;
  readonly now: Date;
}
/**
 * A unit that moves or merges takes its own history along; those above it keep theirs, as it was when it happened. Where the target
 * has the unit below it already, its sums hold the unit's: they are not added twice. Twice finds nothing left.
 * First all is added up: what leaves the old place and what comes to the new one meet, and the move is no change of the unit's own.
 */
export async function followUnit(db: Db, { from, to, now }: Follow): Promise<void> {
  await foldAll(db, now);
  for (const [table, time] of [
    ['stats_hour', 'at'],
    ['stats_day', 'day'],
  ] as const) {
    const key = sql`dept_path, measure, ${sql.ref(time)}, product_id, detail`;
    await sql`
      with gone as (
        delete from ${sql.table(table)} where dept_path >= ${from} and dept_path < ${`${from}~`} returning *
      )
      insert into ${sql.table(table)} as s (${key}, n)
      select ${to}::text || substr(dept_path, ${from.length + 1}::int), measure, ${sql.ref(time)}, product_id, detail, n from gone
      where not (dept_path = ${from} and starts_with(${from}, ${to}))
      on conflict (${key}) do update set n = s.n + excluded.n`.execute(db);
  }
}
