import { alarmCalls } from '@mooring/contract/alert/alarm';
import { FINEST } from '@mooring/contract/device/map/area';
import type { FailureSource, FailureSquare, mapCalls } from '@mooring/contract/device/map/map-calls';
import { isAllowed } from '@mooring/contract/kit/permission';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../../platform/context.ts';
import { atOrBelow, pathBelow } from '../../../platform/db/below.ts';
import { all, exact } from '../../../platform/db/criteria.ts';
import type { Handler } from '../../../platform/module.ts';
import { firstDayOf } from './failure-days.ts';
import { keptReason } from './fold-failures.ts';
import { inRanges, KEPT_LEVEL, levelOf, rangesOf } from './squares.ts';

type Asked = z.output<typeof mapCalls.failures.input>;
/** So many are read one by one, where squares are finer than the sums. */
const MOST_READ = 20_000;
interface Row {
  readonly cell: number;
  readonly source: z.infer<typeof FailureSource>;
  readonly reason: string;
  readonly n: number;
}

function squaresOf(rows: readonly Row[], level: number): FailureSquare[] {
  const found = Map.groupBy(rows, ({ cell }) => cell);
  return [...found]
    .map(([cell, some]) => ({
      cell: `${level}.${cell}`,
      count: some.reduce((sum, { n }) => sum + n, 0),
      reasons: some.map(({ source, reason, n }) => ({ source, reason, n })).sort((a, b) => b.n - a.n),
    }))
    .sort((a, b) => b.count - a.count);
}

async function summed(ctx: Ctx, asked: Asked, { path, level, met }: { path: string; level: number; met: RawBuilder<boolean> }) {
  const from = firstDayOf(ctx.now(), asked.days);
  const { rows } = await sql<Row>`
    select c.cell, c.source, c.reason, sum(c.n)::int as n from (
      select cell, product_id, source, reason, n from device_failure_sum where dept_path = ${path} and level = ${level} and day >= ${from}::date
      union all
      select cell >> ${2 * (KEPT_LEVEL - level)}::int, product_id, source, ${keptReason}, n from device_failure_change
      where ${atOrBelow('dept_path', path)} and day >= ${from}::date
    ) c where ${inRanges('c.cell', rangesOf(asked.box, level))} and ${met} group by 1, 2, 3 having sum(c.n) > 0`.execute(ctx.db);
  return rows;
}

/** By squares of the view: from the sums, and from the failures themselves where one is nearer than the sums are kept and they are few. */
export const mapFailures: Handler<typeof mapCalls.failures> = async (ctx, asked) => {
  const path = await pathBelow(ctx, asked.criteria.below);
  if (path === undefined) return { squares: [], total: 0 };
  const seesAlarms = isAllowed(ctx.actor.permissions, alarmCalls.summary.can);
  const met = all(exact('c.product_id', asked.criteria.productId), seesAlarms ? undefined : sql<boolean>`c.source <> 'alarm'`);
  const level = levelOf(asked.box, asked.zoom);
  const kept = Math.min(level, KEPT_LEVEL);
  let [rows, at] = [await summed(ctx, asked, { path, level: kept, met }), kept];
  const total = rows.reduce((sum, { n }) => sum + n, 0);
  if (level > kept && total <= MOST_READ) {
    const found = await sql<Row>`
      select c.cell >> ${2 * (FINEST - level)}::int as cell, c.source, ${keptReason} as reason, count(*)::int as n from device_failure c
      where ${atOrBelow('c.dept_path', path)} and c.day >= ${firstDayOf(ctx.now(), asked.days)}::date
        and ${inRanges('c.cell', rangesOf(asked.box, FINEST))} and ${met} group by 1, 2, 3`.execute(ctx.db);
    [rows, at] = [found.rows, level];
  }
  return { squares: squaresOf(rows, at), total: rows.reduce((sum, { n }) => sum + n, 0) };
};
