import { addDays, dayOf } from '@mooring/contract/shared/date-range';
import type { HistorySpan, VersionHistory, VersionKind } from '@mooring/contract/stats/compliance-calls';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { approvedOf, partNameOf } from './approved.ts';
import { productNames } from './compliance.ts';
import { ALL_OTHERS, ofProduct, versionIn, type Where, waiting } from './figures.ts';

const SHOWN = 8;

interface Of extends Where {
  readonly kind: VersionKind;
}

interface Shown {
  readonly productId: number;
  readonly version: string;
  readonly now: number;
  /** By how much it changed, by day. */
  readonly changes: Readonly<Record<string, number>>;
}

/** By how much each version's count changed on each day from one on, and how many run it now; what isn't added up yet is of today. */
const known = (where: Of, from: string, today: string) => sql`
  changes as (
    select day, product_id, detail, sum(n)::int as n from (
      select day, product_id, detail, n from stats_day where dept_path = ${where.path} and measure = ${where.kind} and day >= ${from}::date ${ofProduct(where.productId)}
      union all
      select ${today}::date, product_id, detail, n from ${waiting(where)} and measure = ${where.kind} and at is null
    ) c group by 1, 2, 3
  ), running as (
    select product_id, detail, sum(n)::int as n from (
      select product_id, detail, n from stats_now where dept_path = ${where.path} and measure = ${where.kind} ${ofProduct(where.productId)}
      union all
      select product_id, detail, n from ${waiting(where)} and measure = ${where.kind} and at is null
    ) f group by 1, 2 having sum(n) <> 0
  )`;

/** The versions that the most terminals ran at the end of any day. */
async function mostRun(db: Db, where: Of, from: string, today: string): Promise<readonly Shown[]> {
  const { rows } = await sql<Shown>`
    with ${known(where, from, today)}, versions as (
      select product_id, detail, coalesce(r.n, 0) as n from running r full join (select distinct product_id, detail from changes) c using (product_id, detail)
      where detail <> ${ALL_OTHERS}
    ), before as (
      select v.product_id, v.detail, c.day, v.n - sum(c.n) over (partition by v.product_id, v.detail order by c.day desc) as n
      from versions v join changes c using (product_id, detail)
    ), most as (
      select v.product_id, v.detail, v.n, greatest(v.n, max(b.n)) as most
      from versions v left join before b on b.product_id = v.product_id and b.detail = v.detail and b.day > ${from}::date group by 1, 2, 3
    )
    select m.product_id as "productId", m.detail as version, m.n as now,
      coalesce((select jsonb_object_agg(to_char(c.day, 'YYYY-MM-DD'), c.n) from changes c where c.product_id = m.product_id and c.detail = m.detail), '{}') as changes
    from most m where m.most > 0 order by m.most desc, m.detail limit ${SHOWN}`.execute(db);
  return rows;
}

/** The same of all versions together: also of those that no day keeps by themselves. */
async function allRun(db: Db, where: Of, from: string, today: string): Promise<Pick<Shown, 'now' | 'changes'>> {
  const { rows } = await sql<Pick<Shown, 'now' | 'changes'>>`
    with ${known(where, from, today)}
    select coalesce((select sum(n)::int from running), 0) as now,
      coalesce((select jsonb_object_agg(to_char(day, 'YYYY-MM-DD'), n) from (select day, sum(n) as n from changes group by 1) c), '{}') as changes`.execute(
    db,
  );
  return rows[0] ?? { now: 0, changes: {} };
}

async function firstDay(db: Db, where: Of): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(min(day), 'YYYY-MM-DD') as day from stats_day where dept_path = ${where.path} and measure = ${where.kind} ${ofProduct(where.productId)}`.execute(
    db,
  );
  return rows[0]?.day ?? null;
}

/** Counted back from what holds now: a day's end is the next day's without that day's changes. */
function back({ now, changes }: Pick<Shown, 'now' | 'changes'>, days: readonly string[]): number[] {
  let count = now;
  const ends: number[] = [];
  for (const day of days.toReversed()) {
    ends.unshift(Math.max(0, count));
    count -= changes[day] ?? 0;
  }
  return ends;
}

export async function versionHistory(ctx: Ctx, where: Of, span: HistorySpan): Promise<VersionHistory> {
  const today = dayOf(ctx.now(), 'UTC');
  const earliest = addDays(today, 1 - Number(span));
  const [from = today] = [(await firstDay(ctx.db, where)) ?? today, earliest].sort().reverse();
  const days: string[] = [];
  for (let day = from; day <= today; day = addDays(day, 1)) days.push(day);
  const shown = (await mostRun(ctx.db, where, from, today)).map((one) => ({ ...one, counts: back(one, days) }));
  const all = back(await allRun(ctx.db, where, from, today), days);
  const names = await productNames(ctx.db, [...new Set(shown.map((one) => one.productId))]);
  const approved = where.kind === 'app' ? await approvedOf(ctx, where) : undefined;
  return {
    days,
    series: shown.map(({ productId, version: detail, counts }) => {
      const { part, version } = versionIn(where.kind, detail);
      return { version, counts, partName: partNameOf(approved, productId, part), productName: names.get(productId) ?? '' };
    }),
    others: all.map((count, at) => Math.max(0, count - shown.reduce((sum, one) => sum + (one.counts[at] ?? 0), 0))),
  };
}
