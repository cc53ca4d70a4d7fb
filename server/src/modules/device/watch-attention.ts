import { sql } from 'kysely';
import { z } from 'zod';
import { fullStorage, isInUse, lowBattery, silentFor, usual } from '../../engines/devices/attention.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';

const BATCH = 10_000;
/** So many batches a minute: a million terminals are looked at every twenty minutes. */
const BATCHES = 5;

/**
 * Looks at the next terminals in the order of their ids and notes which somebody should look at, by what their product says or what holds for all. Nothing is written for a terminal whose
 * state is noted already, so twice is harmless; who finds another process at it leaves it to that one. Answers whether it came to the end.
 */
async function walk(db: Db, now: Date): Promise<boolean> {
  const held = await sql<{ after_id: number; counted_id: number }>`
    select after_id, counted_id from device_attention_walk for update skip locked`.execute(db);
  const [walked] = held.rows;
  if (walked === undefined) return true;
  const { after_id: after, counted_id: counted } = walked;
  const seen = await sql<{ last: number | null; n: number }>`
    with batch as materialized (
      select d.id, d.dept_path, d.product_id, ${isInUse} as used, ${silentFor(usual.silentMinutes, now)} as silent,
        ${lowBattery(usual.battery)} as battery, ${fullStorage(usual.storage)} as storage
      from device_presence p join device d on d.id = p.device_id join product_product r on r.id = d.product_id where p.device_id > ${after} order by p.device_id limit ${BATCH}
    ), wanted as (
      select b.id, w.kind, b.product_id, b.dept_path from batch b
        cross join lateral (values ('silent', b.silent), ('battery', b.battery), ('storage', b.storage)) w(kind, is_so) where b.used and w.is_so
    ), over as (
      delete from device_attention a using batch b where a.device_id = b.id and not exists (select from wanted w where w.id = a.device_id and w.kind = a.kind)
    ), followed as (
      update device_attention a set dept_path = b.dept_path, product_id = b.product_id from batch b
      where a.device_id = b.id and (a.dept_path <> b.dept_path or a.product_id <> b.product_id) and exists (select from wanted w where w.id = a.device_id and w.kind = a.kind)
    ), begun as (
      insert into device_attention (device_id, kind, product_id, dept_path, since)
      select w.id, w.kind, w.product_id, w.dept_path, ${now} from wanted w
      where not exists (select from device_attention a where a.device_id = w.id and a.kind = w.kind) order by w.id on conflict do nothing
    )
    select max(id) as last, count(*)::int as n from batch`.execute(db);
  const { last, n } = seen.rows[0] ?? { last: null, n: 0 };
  const isEnd = n < BATCH;
  const next = isEnd ? 0 : (last ?? 0);
  const whole = isEnd ? (last ?? after) : counted;
  if (next !== after || whole !== counted)
    await sql`update device_attention_walk set after_id = ${next}, counted_id = ${whole}`.execute(db);
  return isEnd;
}

/** Whether terminals below a path are still to be looked at for the first time. */
export async function isStillLooking(ctx: Pick<Ctx, 'db' | 'unscoped'>, path: string): Promise<boolean> {
  const walk = await ctx.unscoped((db) => sql<{ counted_id: number }>`select counted_id from device_attention_walk`.execute(db));
  const { rows } = await sql`
    select from device_presence p join device d on d.id = p.device_id
    where p.device_id > ${walk.rows[0]?.counted_id ?? 0} and d.dept_path >= ${path} and d.dept_path < ${`${path}~`} limit 1`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

export const watchAttention = job({
  name: 'device.attention',
  payload: z.object({}),
  every: '* * * * *',
  run: async (ctx) => {
    for (let at = 0; at < BATCHES; at += 1) if (await ctx.inBulk((db) => walk(db, ctx.now()))) return;
  },
});
