import { namesTerminals, type Ring } from '@mooring/contract/engines/rollout/rings';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { inGroups } from '../devices/groups.ts';
import { type Aim, below, matching, ofMerchants } from './match.ts';
import { cutsOf } from './rings.ts';
import type { Task } from './task.ts';

/** Stable, and as good as drawn by lot. */
const lot = sql<string>`hashtextextended(d.sn, 0)`;

/** The first ring that names a device `d`; null where none does. */
export async function namingRing(db: Db, rings: readonly Ring[]): Promise<RawBuilder<number | null>> {
  const named: RawBuilder<unknown>[] = [];
  for (const [at, ring] of rings.entries()) {
    if (!namesTerminals(ring)) continue;
    const conditions = [
      ...(ring.sns ? [sql`d.sn = any(${ring.sns}::text[])`] : []),
      ...(ring.tags ? [sql`d.tags && ${ring.tags}::text[]`] : []),
      ...(ring.deptIds ? [await below(db, ring.deptIds)] : []),
      ...(ring.groupIds ? [await inGroups(db, ring.groupIds)] : []),
      ...(ring.merchantIds ? [ofMerchants(ring.merchantIds)] : []),
    ];
    named.push(sql`when ${sql.join(conditions, sql` or `)} then ${sql.lit(at + 1)}`);
  }
  return named.length === 0 ? sql<null>`null::int` : sql<number | null>`case ${sql.join(named, sql` `)} end`;
}

const sharing = (rings: readonly Ring[]) => rings.flatMap((ring, at) => (namesTerminals(ring) ? [] : [{ no: at + 1, share: ring.share }]));

/** How many devices are in each ring, by how many each one names and how many (null) none does. */
export function ringCounts(rings: readonly Ring[], named: readonly { readonly ring: number | null; readonly n: number }[]): number[] {
  const of = (ring: number | null) => named.find((row) => row.ring === ring)?.n ?? 0;
  const shares = sharing(rings);
  const cuts = cutsOf(
    shares.map((one) => one.share),
    of(null),
  );
  return rings.map((_ring, at) => {
    const place = shares.findIndex((one) => one.no === at + 1);
    return place < 0 ? of(at + 1) : (cuts[place] ?? 0) - (cuts[place - 1] ?? 0);
  });
}

/**
 * The last lot in each ring with a share but the last one, of devices `among` those that a task reaches; as text: a number of the runtime is
 * too short for it. None where nothing is to be shared. Of fewer than were counted a moment ago the last one there is bounds the ring.
 */
export async function ringBounds(db: Db, aim: Aim, rings: readonly Ring[], among: RawBuilder<boolean>): Promise<string[] | null> {
  const shares = sharing(rings).map((one) => one.share);
  if (shares.length < 2) return null;
  const pool = sql`device d where ${await matching(db, aim)} and ${among} and ${await namingRing(db, rings)} is null`;
  const counted = await sql<{ n: number }>`select count(*)::int as n from ${pool}`.execute(db);
  const cuts = cutsOf(shares, counted.rows[0]?.n ?? 0).slice(0, -1);
  const last = cuts.map((cut) => sql`max(lot) filter (where rank <= ${sql.lit(cut)})`);
  const found = await sql<{ bounds: string[] | null }>`
    select case when count(*) > 0 then array[${sql.join(last)}]::text[] end as bounds
    from (select ${lot} as lot, row_number() over (order by ${lot}) as rank from ${pool}) x`.execute(db);
  return found.rows[0]?.bounds ?? null;
}

/**
 * Ring of a device `d`: the first that names it, else the one whose share its lot falls in. Without bounds by its percentage: bounds tell only
 * of those among whom they were drawn, and of one terminal at the beginning everybody after it would be on the same side.
 */
export async function ringOf(db: Db, rings: readonly Ring[], bounds: readonly string[] | null): Promise<RawBuilder<number>> {
  if (rings.length === 1) return sql<number>`1`;
  const shares = sharing(rings);
  const earlier = shares
    .slice(0, -1)
    .map(({ no, share }, at) =>
      bounds
        ? sql`when ${lot} <= ${bounds[at]}::bigint then ${sql.lit(no)}`
        : sql`when abs(${lot} % 100) < ${sql.lit(share)} then ${sql.lit(no)}`,
    );
  const rest = sql.lit(rings.length);
  const shared = earlier.length === 0 ? rest : sql`case ${sql.join(earlier, sql` `)} else ${rest} end`;
  return sql<number>`coalesce(${await namingRing(db, rings)}, ${shared})`;
}

/** Who comes later wasn't counted when people agreed to the rings that may open: it goes into the first that they are still to agree to, if any. */
export const afterAgreed = ({ ring_gate, delivery }: Pick<Task, 'ring_gate' | 'delivery'>, ring: RawBuilder<number>): RawBuilder<number> =>
  ring_gate === null || ring_gate >= delivery.rings.length ? ring : sql<number>`greatest(${ring}, ${sql.lit(ring_gate + 1)})`;
