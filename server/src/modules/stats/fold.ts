import { versionKinds } from '@mooring/contract/stats/compliance-calls';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { ALL_OTHERS, detailOf } from './figures.ts';

const BATCH = 20_000;
/** So many batches a run; what is left then is read as it stands, and added up a minute later. */
const BATCHES = 50;
const LOCK = 7340;

/** One at a time: two would wait for each other's sums. False where another process is at it. */
export async function lockFold(db: Db): Promise<boolean> {
  const got = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as got`.execute(db);
  return got.rows[0]?.got === true;
}

/** Of one product in one department. More would be a row for each version that a terminal only says it has. */
const VERSIONS_A_DAY = 50;

/** What is kept by day as differences of what terminals run. */
const isVersion = sql<boolean>`(measure = any(${[...versionKinds]}::text[]))`;

interface Touched {
  readonly measure: string;
  readonly path: string;
  readonly product_id: number;
  readonly day: string;
  readonly detail: string;
}

/**
 * What came and left on the same day leaves ALL_OTHERS again, if it was kept there: as a row of its own it would have been there the day before. It is
 * one that nothing runs any more, and that no day before knows.
 */
async function keepTogether(db: Db, of: RawBuilder<unknown>): Promise<void> {
  const same = sql`o.dept_path = s.dept_path and o.measure = s.measure and o.product_id = s.product_id`;
  await sql`
    with gone as (
      delete from stats_day s using ${of} t
      where s.dept_path = t.path and s.measure = t.measure and s.day = t.day and s.product_id = t.product_id and s.detail = t.detail and s.n < 0
        and exists (select from stats_day o where ${same} and o.day = s.day and o.detail = ${ALL_OTHERS} and o.n >= -s.n)
        and not exists (select from stats_now o where ${same} and o.detail = s.detail)
        and not exists (select from stats_day o where ${same} and o.day < s.day and o.detail = s.detail)
      returning s.*
    )
    update stats_day s set n = s.n + o.n from (select dept_path, measure, day, product_id, sum(n) as n from gone group by 1, 2, 3, 4) o
    where s.dept_path = o.dept_path and s.measure = o.measure and s.day = o.day and s.product_id = o.product_id and s.detail = ${ALL_OTHERS}`.execute(
    db,
  );
}

/** Rows that have come to nothing, and of a day's versions those that changed least: they are kept as one (ALL_OTHERS). */
async function tidyVersions(db: Db, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return;
  const of = sql`(select * from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb) as t(path text, measure text, product_id bigint, day date, detail text))`;
  await sql`delete from stats_now s using ${of} t
    where s.dept_path = t.path and s.measure = t.measure and s.product_id = t.product_id and s.detail = t.detail and s.n = 0`.execute(db);
  await sql`delete from stats_day s using ${of} t
    where s.dept_path = t.path and s.measure = t.measure and s.day = t.day and s.product_id = t.product_id and s.detail = t.detail and s.n = 0`.execute(
    db,
  );
  await keepTogether(db, of);
  await sql`
    with ranked as (
      select s.*, row_number() over (partition by s.dept_path, s.measure, s.day, s.product_id order by abs(s.n) desc, s.detail) as rank
      from stats_day s join (select distinct path, measure, product_id, day from ${of} t) t
        on s.dept_path = t.path and s.measure = t.measure and s.day = t.day and s.product_id = t.product_id
      where s.detail <> ${ALL_OTHERS}
    ), gone as (
      delete from stats_day s using ranked r
      where r.rank > ${VERSIONS_A_DAY} and s.dept_path = r.dept_path and s.measure = r.measure and s.day = r.day and s.product_id = r.product_id and s.detail = r.detail
      returning s.*
    )
    insert into stats_day as s (dept_path, measure, day, product_id, detail, n)
    select dept_path, measure, day, product_id, ${ALL_OTHERS}, sum(n) from gone group by 1, 2, 3, 4
    on conflict (dept_path, measure, day, product_id, detail) do update set n = s.n + excluded.n`.execute(db);
  await sql`delete from stats_day s using ${of} t
    where s.dept_path = t.path and s.measure = t.measure and s.day = t.day and s.product_id = t.product_id and s.detail = ${ALL_OTHERS} and s.n = 0`.execute(
    db,
  );
}

/**
 * Adds differences up for their department and all above it. What is taken away and what is added are one statement, so whoever
 * reads meanwhile sees the same sums, and a second run finds nothing left. What versions terminals run is kept by day as well, as its
 * differences: what it was then is what it is now without them. Answers how many it took.
 */
export async function foldBatch(db: Db, now: Date): Promise<number> {
  const taken = await sql<{ n: number; touched: Touched[] | null }>`
    with gone as (
      delete from stats_change where ctid = any(array(select ctid from stats_change limit ${BATCH} for update skip locked)) returning *
    ), up as (
      select a.path, g.measure, g.product_id, g.detail, g.at, sum(g.n) as n
      from (select dept_path, measure, product_id, ${detailOf} as detail, at, sum(n) as n from gone group by 1, 2, 3, 4, 5) g,
        unnest(path_and_above(g.dept_path)) a(path) group by 1, 2, 3, 4, 5
    ), now_too as (
      insert into stats_now as s (dept_path, measure, product_id, detail, n) select path, measure, product_id, detail, n from up where at is null and n <> 0
      on conflict (dept_path, measure, product_id, detail) do update set n = s.n + excluded.n
    ), hours as (
      insert into stats_hour as s (dept_path, measure, at, product_id, detail, n) select path, measure, at, product_id, detail, n from up where at is not null
      on conflict (dept_path, measure, at, product_id, detail) do update set n = s.n + excluded.n
    ), by_day as (
      select path, measure, (coalesce(at, ${now}::timestamptz) at time zone 'UTC')::date as day, product_id, detail, sum(n) as n from up
      where ${isVersion} or (at is not null and measure not like 'task%') group by 1, 2, 3, 4, 5
    ), days as (
      insert into stats_day as s (dept_path, measure, day, product_id, detail, n)
      select path, measure, day, product_id, detail, n from by_day where not ${isVersion} or n <> 0
      on conflict (dept_path, measure, day, product_id, detail) do update set n = s.n + excluded.n
    )
    select count(*)::int as n,
      (select jsonb_agg(jsonb_build_object('path', path, 'measure', measure, 'product_id', product_id, 'day', day, 'detail', detail)) from by_day where ${isVersion} and n <> 0) as touched
    from gone`.execute(db);
  await tidyVersions(db, taken.rows[0]?.touched ?? []);
  return taken.rows[0]?.n ?? 0;
}

export const foldJob = job({
  name: 'stats.fold',
  payload: z.object({}),
  every: '* * * * *',
  run: async (ctx) => {
    for (let at = 0; at < BATCHES; at += 1) {
      const taken = await ctx.inBulk(async (db) => ((await lockFold(db)) ? foldBatch(db, ctx.now()) : 0));
      if (taken < BATCH) return;
    }
  },
});

/** All that waits, in the transaction that it is part of; waits for whoever is at it. */
export async function foldAll(db: Db, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
  while ((await foldBatch(db, now)) === BATCH);
}
