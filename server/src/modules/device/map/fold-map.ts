import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import { KEPT_LEVEL, keptLevels } from './squares.ts';

const BATCH = 20_000;
const LOCK = 7670;

/**
 * Adds differences of the map up, for their organisation and all above it. What is taken away and what is added are one statement, so whoever reads both
 * counts each once. Answers whether there may be more.
 */
export async function foldMap(db: Db): Promise<boolean> {
  const got = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as got`.execute(db);
  if (!got.rows[0]?.got) return false;
  const { rows } = await sql<{ taken: number; empty: string | null }>`
    with gone as (
      delete from device_map_change where ctid = any(array(select ctid from device_map_change limit ${BATCH})) returning *
    ), sums as (
      select a.path, l.level, case when g.cell < 0 then -1 else g.cell >> (2 * (${KEPT_LEVEL}::int - l.level)) end as cell, g.product_id, g.status,
        sum(g.n) as n, sum(g.lat) as lat, sum(g.lon) as lon
      from gone g, unnest(path_and_above(g.dept_path)) as a(path), unnest(${[...keptLevels]}::int[]) as l(level)
      where g.cell >= 0 or l.level = 0 group by 1, 2, 3, 4, 5
    ), added as (
      insert into device_map_cell as c (dept_path, level, cell, product_id, status, n, lat, lon)
      select path, level, cell, product_id, status, n, lat, lon from sums where n <> 0 or lat <> 0 or lon <> 0 order by 1, 2, 3, 4, 5
      on conflict (dept_path, level, cell, product_id, status) do update set n = c.n + excluded.n, lat = c.lat + excluded.lat, lon = c.lon + excluded.lon
      returning c.dept_path, c.level, c.cell, c.product_id, c.status, c.n, c.lat, c.lon
    )
    select (select count(*)::int from gone) as taken, (select jsonb_agg(added)::text from added where n = 0 and lat = 0 and lon = 0) as empty`.execute(
    db,
  );
  const [{ taken, empty } = { taken: 0, empty: null }] = rows;
  if (empty)
    await sql`
      delete from device_map_cell c using jsonb_to_recordset(${empty}::jsonb) as e(dept_path text, level smallint, cell bigint, product_id bigint, status text)
      where c.dept_path = e.dept_path and c.level = e.level and c.cell = e.cell and c.product_id = e.product_id and c.status = e.status and c.n = 0`.execute(
      db,
    );
  return taken === BATCH;
}
