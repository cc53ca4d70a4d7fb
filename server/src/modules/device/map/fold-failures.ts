import { FAILURE_DAYS } from '@mooring/contract/device/map/map-calls';
import { failureReasons } from '@mooring/contract/device/messages';
import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import { KEPT_LEVEL, keptLevels } from './squares.ts';

const BATCH = 20_000;
const LOCK = 7671;
/** A terminal may say any reason; sums are kept of those that the protocol knows, and of the kinds of alarms. */
const known = [...failureReasons, 'timeout', 'unknown'];
export const keptReason = sql`case when source <> 'alarm' and reason <> all(${known}::text[]) then 'other' else reason end`;

/** Adds differences of failures up, as `foldMap` those of terminals. Answers whether there may be more. */
export async function foldFailures(db: Db): Promise<boolean> {
  const got = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as got`.execute(db);
  if (!got.rows[0]?.got) return false;
  const { rows } = await sql<{ taken: number; empty: string | null }>`
    with gone as (
      delete from device_failure_change where ctid = any(array(select ctid from device_failure_change limit ${BATCH})) returning *
    ), sums as (
      select a.path, l.level, g.cell >> (2 * (${KEPT_LEVEL}::int - l.level)) as cell, g.day, g.product_id, g.source,
        ${keptReason} as reason, sum(g.n) as n
      from gone g, unnest(path_and_above(g.dept_path)) as a(path), unnest(${[...keptLevels]}::int[]) as l(level) group by 1, 2, 3, 4, 5, 6, 7
    ), added as (
      insert into device_failure_sum as c (dept_path, level, cell, day, product_id, source, reason, n)
      select path, level, cell, day, product_id, source, reason, n from sums where n <> 0 order by 1, 2, 3, 4, 5, 6, 7
      on conflict (dept_path, level, cell, day, product_id, source, reason) do update set n = c.n + excluded.n
      returning c.dept_path, c.level, c.cell, c.day, c.product_id, c.source, c.reason, c.n
    )
    select (select count(*)::int from gone) as taken, (select jsonb_agg(added)::text from added where n = 0) as empty`.execute(db);
  const [{ taken, empty } = { taken: 0, empty: null }] = rows;
  if (empty)
    await sql`
      delete from device_failure_sum c
      using jsonb_to_recordset(${empty}::jsonb) as e(dept_path text, level smallint, cell bigint, day date, product_id bigint, source text, reason text)
      where c.dept_path = e.dept_path and c.level = e.level and c.cell = e.cell and c.day = e.day and c.product_id = e.product_id
        and c.source = e.source and c.reason = e.reason and c.n = 0`.execute(db);
  return taken === BATCH;
}

/** What is older than any map shows; its sums go with it. */
export async function dropFailures(db: Db, now: Date): Promise<void> {
  await sql`delete from device_failure where day < (${now}::timestamptz at time zone 'UTC')::date - ${FAILURE_DAYS - 1}::int`.execute(db);
}
