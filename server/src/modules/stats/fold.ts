import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { detailOf } from './figures.ts';

const BATCH = 20_000;
/** So many batches a run; what is left then is read as it stands, and added up a minute later. */
const BATCHES = 50;
const LOCK = 7340;

/** One at a time: two would wait for each other's sums. False where another process is at it. */
export async function lockFold(db: Db): Promise<boolean> {
  const got = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as got`.execute(db);
  return got.rows[0]?.got === true;
}

/**
 * Adds differences up for their department and all above it. What is taken away and what is added are one statement, so whoever
 * reads meanwhile sees the same sums, and a second run finds nothing left. What versions terminals run is kept by day as well, as its
 * differences: what it was then is what it is now without them. Answers how many it took.
 */
export async function foldBatch(db: Db, now: Date): Promise<number> {
  const taken = await sql<{ n: number }>`
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
    ), days as (
      insert into stats_day as s (dept_path, measure, day, product_id, detail, n)
      select path, measure, (coalesce(at, ${now}::timestamptz) at time zone 'UTC')::date as day, product_id, detail, sum(n) from up
      where measure = 'firmware' or (at is not null and measure not like 'task%') group by 1, 2, 3, 4, 5
      on conflict (dept_path, measure, day, product_id, detail) do update set n = s.n + excluded.n
    )
    select count(*)::int as n from gone`.execute(db);
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
