import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { invalidateCustomers } from './platform-rows.ts';

const BATCH = 5000;
const HOURS_DAYS = 30;

interface Bounds {
  readonly id: number;
  readonly dept_path: string;
  readonly days: number;
  readonly rows: number;
}

/** What waits too long, or behind too many, is dropped, counted, and stays to be seen; what had been sent once was delivered then. */
async function drop(db: Db, { id, dept_path, days, rows: most }: Bounds, now: Date): Promise<number> {
  const over = sql`
    select m.id, m.at < ${now}::timestamptz - make_interval(days => ${days}) as old from customer_message m
    where m.customer_id = ${id} and m.fate = 'waiting' and (m.at < ${now}::timestamptz - make_interval(days => ${days}) or m.id <= coalesce((
      select id from customer_message where customer_id = ${id} and fate = 'waiting' order by id desc offset ${most} limit 1), 0))`;
  if ((await sql`${over} limit 1`.execute(db)).rows.length === 0) return 0;
  // The hour, the platform, the messages: in the order of everybody who writes them.
  await sql`
    insert into customer_hour as h (customer_id, hour, dept_path) values (${id}, date_trunc('hour', ${now}::timestamptz), ${dept_path})
    on conflict (customer_id, hour) do update set dropped = h.dropped`.execute(db);
  await sql`select from customer_iot where id = ${id} for no key update`.execute(db);
  const { rows } = await sql<{ n: number; all: number }>`
    with over as (${over} order by m.id limit ${BATCH} for update skip locked), dropped as (
      update customer_message m set fate = case when m.again > 0 then 'sent' else 'dropped' end, ended_at = ${now}, next_at = null,
        reason = case when m.again > 0 then null when over.old then 'IOT_TOO_OLD' else 'IOT_TOO_MANY' end
      from over where m.id = over.id returning m.fate
    )
    select count(*) filter (where fate = 'dropped')::int as n, count(*)::int as all from dropped`.execute(db);
  const { n = 0, all = 0 } = rows[0] ?? {};
  await sql`update customer_hour set dropped = dropped + ${n} where customer_id = ${id} and hour = date_trunc('hour', ${now}::timestamptz)`.execute(
    db,
  );
  await sql`update customer_iot set dropped = dropped + ${n} where id = ${id}`.execute(db);
  return all;
}

/** What is over: by its age, and behind twice as many newer ones as may wait. */
async function forget(db: Db, { id, days, rows: most }: Bounds, now: Date): Promise<number> {
  const gone = await sql`
    with edge as (select at, id from customer_message where customer_id = ${id} order by at desc, id desc offset ${2 * most} limit 1)
    delete from customer_message where id in (
      select m.id from customer_message m where m.customer_id = ${id} and m.fate <> 'waiting' and (
        m.at < ${now}::timestamptz - make_interval(days => ${days}) and m.ended_at < ${now}::timestamptz - make_interval(days => ${days})
        or (m.at, m.id) <= (select at, id from edge))
      order by m.at limit ${BATCH})`.execute(db);
  return Number(gone.numAffectedRows ?? 0);
}

/** What is left of platforms that are no more. */
async function clear(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recursive one as (
      (select customer_id as id from customer_sequence order by customer_id limit 1) union all
      select (select customer_id from customer_sequence s where s.customer_id > one.id order by customer_id limit 1) from one where one.id is not null
    ), other as (
      (select customer_id as id from customer_message order by customer_id limit 1) union all
      select (select customer_id from customer_message m where m.customer_id > other.id order by customer_id limit 1) from other where other.id is not null
    )
    select id from (select id from one union select id from other) x where id is not null and not exists (select from customer_iot c where c.id = x.id)`.execute(
    db,
  );
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return 0;
  const said = await sql`
    delete from customer_message where id in (select id from customer_message where customer_id = any(${ids}::bigint[]) limit ${BATCH})`.execute(
    db,
  );
  const counted = await sql`
    delete from customer_sequence where (customer_id, device_id) in (
      select customer_id, device_id from customer_sequence where customer_id = any(${ids}::bigint[]) limit ${BATCH})`.execute(db);
  return Math.max(Number(said.numAffectedRows ?? 0), Number(counted.numAffectedRows ?? 0));
}

/** Keeps each platform's backlog and history to what its settings say. Twice is harmless: what is dropped waits no more. */
export async function keepBounds(app: Pick<AppContext, 'unscoped' | 'now' | 'invalidate'>): Promise<void> {
  const all = await app.unscoped((db) =>
    sql<Bounds>`select id, dept_path, backlog_days as days, backlog_rows as rows from customer_iot where state <> 'draft' order by id`.execute(
      db,
    ),
  );
  for (const one of all.rows) {
    let n = 0;
    do {
      n = await app.unscoped(async (db) => {
        const dropped = await drop(db, one, app.now());
        const gone = await forget(db, one, app.now());
        if (dropped > 0) await invalidateCustomers(app, db, one.dept_path);
        return Math.max(dropped, gone);
      });
    } while (n === BATCH);
  }
  while ((await app.unscoped(clear)) === BATCH) {
    /* the next ones */
  }
  await app.unscoped((db) =>
    sql`delete from customer_hour where hour < ${app.now()}::timestamptz - make_interval(days => ${HOURS_DAYS})`.execute(db),
  );
}

export const boundsJob = job({
  name: 'customer:bounds',
  payload: z.object({}),
  every: '*/5 * * * *',
  run: (ctx) => keepBounds(ctx),
});
