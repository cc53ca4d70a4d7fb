import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../platform/context.ts';
import { job } from '../../../platform/module.ts';
import { readSetting } from '../../../platform/settings.ts';

const BATCH = 10_000;
/** So many batches a run: a million terminals take a quarter of an hour. */
const BATCHES = 35;
const HOUR_MS = 3_600_000;

/** Counters that a terminal keeps as it likes: what is no count is none. */
export const counter = (name: 'rxBytes' | 'txBytes') =>
  sql`case when jsonb_typeof(p.counters -> ${name}::text) = 'number' and (p.counters ->> ${name}::text)::numeric between 0 and 9007199254740991 then (p.counters ->> ${name}::text)::numeric::bigint end`;

/**
 * Keeps the figures of the next terminals in the order of their ids that were heard of within the last hour. Twice writes nothing more; who finds another
 * process at it leaves it to that one. Answers whether this hour is done.
 */
async function walk(db: Db, now: Date): Promise<boolean> {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  const held = await sql<{ after_id: number; done: boolean; begun: boolean }>`
    select after_id, done, hour = ${hour} as begun from device_health_walk for update skip locked`.execute(db);
  const [at] = held.rows;
  if (!at || (at.begun && at.done)) return true;
  const after = at.begun ? at.after_id : 0;
  const seen = await sql<{ last: number | null; n: number }>`
    with batch as materialized (
      select p.*, d.dept_path from device_presence p join device d on d.id = p.device_id where p.device_id > ${after} order by p.device_id limit ${BATCH}
    ), kept as (
      insert into device_health (device_id, at, battery, charging, network, signal, storage_total, storage_free, temperature, received, sent, dept_path)
      select p.device_id, ${hour}, p.battery, p.charging, p.network, p.signal, p.storage_total, p.storage_free, p.temperature,
        ${counter('rxBytes')}, ${counter('txBytes')}, p.dept_path
      from batch p where p.seen_at > ${hour}::timestamptz - interval '1 hour' order by p.device_id on conflict do nothing
    )
    select max(device_id) as last, count(*)::int as n from batch`.execute(db);
  const { last, n } = seen.rows[0] ?? { last: null, n: 0 };
  const done = n < BATCH;
  await sql`update device_health_walk set hour = ${hour}, after_id = ${last ?? after}, done = ${done}`.execute(db);
  return done;
}

/** Every five minutes: the first run of an hour begins it, also where the server was down at its beginning. */
export const recordHealth = job({
  name: 'device.health',
  payload: z.object({}),
  every: '*/5 * * * *',
  run: async (ctx) => {
    for (let at = 0; at < BATCHES; at += 1) if (await ctx.inBulk((db) => walk(db, ctx.now()))) return;
  },
});

/** Partitions of the coming days are there before their rows, and old ones go. Running twice changes nothing. */
export async function keepHealth(db: Db): Promise<void> {
  const { healthDays, trackDays, logDays } = await readSetting(db, 'retention');
  // A new partition waits for whoever is at the table, and everybody else behind it: not for long, the next turn tries again.
  await sql`select set_config('lock_timeout', '10s', true)`.execute(db);
  await sql`select keep_days('device_health', ${healthDays}), keep_days('device_track', ${trackDays}), keep_days('device_log_line', ${logDays})`.execute(
    db,
  );
}

const OLD_LINES = 10_000;
/**
 * What was asked for may be of days before there were partitions. In transactions of its own, after the partitions were made: their locks would be held meanwhile.
 * Answers how many went.
 */
export async function dropOldLines(db: Db, most = OLD_LINES): Promise<number> {
  const { logDays } = await readSetting(db, 'retention');
  const gone = await sql`
    delete from device_log_line_default where (at, id) in (
      select at, id from device_log_line_default where at < now() - make_interval(days => ${logDays}) order by at limit ${most})`.execute(
    db,
  );
  return Number(gone.numAffectedRows ?? 0);
}
export const keepHealthDays = job({
  name: 'device.health-days',
  fixed: true,
  payload: z.object({}),
  every: '11 2 * * *',
  run: async (ctx) => {
    await ctx.unscoped(keepHealth);
    while ((await ctx.unscoped((db) => dropOldLines(db))) >= OLD_LINES);
  },
});
