import { addDays, dayOf } from '@mooring/contract/shared/date-range';
import type { HistorySpan, VersionHistory } from '@mooring/contract/stats/compliance-calls';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { productNames } from './compliance.ts';
import { ofProduct, versionsIn, type Where, waiting } from './figures.ts';

const SHOWN = 8;

interface Change {
  readonly day: string;
  readonly productId: number;
  readonly version: string;
  readonly n: number;
}
/** By how much each version's count changed on each day from one on; what isn't added up yet is of today. */
async function changesFrom(db: Db, where: Where, from: string, today: string): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select to_char(day, 'YYYY-MM-DD') as day, product_id as "productId", detail as version, sum(n)::int as n from (
      select day, product_id, detail, n from stats_day where dept_path = ${where.path} and measure = 'firmware' and day >= ${from}::date ${ofProduct(where.productId)}
      union all
      select ${today}::date, product_id, detail, n from ${waiting(where)} and measure = 'firmware' and at is null
    ) c group by 1, 2, 3`.execute(db);
  return rows;
}

async function firstDay(db: Db, { path, productId }: Where): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(min(day), 'YYYY-MM-DD') as day from stats_day where dept_path = ${path} and measure = 'firmware' ${ofProduct(productId)}`.execute(
    db,
  );
  return rows[0]?.day ?? null;
}

const keyOf = ({ productId, version }: { productId: number; version: string }) => `${productId} ${version}`;

/** Counted back from what holds now: a day's end is the next day's without that day's changes. */
export async function versionHistory(ctx: Ctx, where: Where, span: HistorySpan): Promise<VersionHistory> {
  const today = dayOf(ctx.now(), 'UTC');
  const earliest = addDays(today, 1 - Number(span));
  const [from = today] = [(await firstDay(ctx.db, where)) ?? today, earliest].sort().reverse();
  const days: string[] = [];
  for (let day = from; day <= today; day = addDays(day, 1)) days.push(day);
  const now = await versionsIn(ctx.db, where);
  const changes = await changesFrom(ctx.db, where, from, today);
  const byKey = new Map<string, Map<string, number>>();
  for (const one of changes) {
    const of = byKey.get(keyOf(one)) ?? new Map<string, number>();
    byKey.set(keyOf(one), of.set(one.day, one.n));
  }
  const counts = new Map<string, number>(now.map((one) => [keyOf(one), one.count]));
  const back = (key: string): number[] => {
    let count = counts.get(key) ?? 0;
    const ends: number[] = [];
    for (const day of days.toReversed()) {
      ends.unshift(Math.max(0, count));
      count -= byKey.get(key)?.get(day) ?? 0;
    }
    return ends;
  };
  const all = new Map([...now, ...changes].map((one) => [keyOf(one), one]));
  const series = [...all.entries()]
    .map(([key, { productId, version }]) => ({ productId, version, counts: back(key) }))
    .filter((one) => one.counts.some((count) => count > 0))
    .sort((a, b) => Math.max(...b.counts) - Math.max(...a.counts) || a.version.localeCompare(b.version));
  const shown = series.slice(0, SHOWN);
  const names = await productNames(ctx.db, [...new Set(shown.map((one) => one.productId))]);
  return {
    days,
    series: shown.map(({ productId, ...one }) => ({ ...one, productName: names.get(productId) ?? '' })),
    others: days.map((_, at) => series.slice(SHOWN).reduce((sum, one) => sum + (one.counts[at] ?? 0), 0)),
  };
}
