import { versionKinds } from '@mooring/contract/stats/compliance-calls';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { foldBatch, lockFold } from './fold.ts';

/** How many terminals are online, once an hour: the first who comes writes it, and whoever comes again finds it there. */
async function sample(db: Db, now: Date): Promise<void> {
  const at = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  const there = await sql`select from stats_sample where at = ${at}`.execute(db);
  if (there.rows.length > 0 || !(await lockFold(db))) return;
  await foldBatch(db, now);
  await sql`
    with first as (
      insert into stats_sample values (${at}) on conflict do nothing returning at
    ), online as (
      select s.dept_path, s.product_id, s.n, first.at from stats_now s, first where s.measure = 'status' and s.detail = '3' and s.n > 0
    ), hours as (
      insert into stats_hour (dept_path, measure, at, product_id, detail, n) select dept_path, 'online', at, product_id, '', n from online
      on conflict do nothing
    )
    insert into stats_day as s (dept_path, measure, day, product_id, detail, n)
    select dept_path, 'online', (at at time zone 'UTC')::date, product_id, '', n from online
    on conflict (dept_path, measure, day, product_id, detail) do update set n = s.n + excluded.n`.execute(db);
}

/** Every five minutes: the first run of an hour does it, also where the server was down at its beginning. */
export const sampleJob = job({
  name: 'stats.sample',
  payload: z.object({}),
  every: '*/5 * * * *',
  run: (ctx) => ctx.inBulk((db) => sample(db, ctx.now())),
});

const HOURS_DAYS = 8;
const DAYS_YEARS = 5;

/** Nightly: hours and days whose time is over, and sums of what is no longer there. Running twice deletes nothing more. */
export const pruneJob = job({
  name: 'stats.prune',
  payload: z.object({}),
  every: '27 3 * * *',
  run: (ctx) =>
    ctx.unscoped(async (db) => {
      await sql`delete from stats_hour where at < ${ctx.now()}::timestamptz - make_interval(days => ${HOURS_DAYS})`.execute(db);
      await sql`delete from stats_day where day < ${ctx.now()}::timestamptz - make_interval(years => ${DAYS_YEARS})`.execute(db);
      await sql`delete from stats_sample where at < ${ctx.now()}::timestamptz - make_interval(years => ${DAYS_YEARS})`.execute(db);
      // Versions that came and went within a day say nothing of it.
      await sql`delete from stats_day where measure = any(${[...versionKinds]}::text[]) and n = 0 and day < ${ctx.now()}::timestamptz::date`.execute(
        db,
      );
      await sql`delete from stats_now where n = 0`.execute(db);
    }),
});
