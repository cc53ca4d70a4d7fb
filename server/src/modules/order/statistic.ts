import type { orderCalls } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import { all, exact } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';

const MOST = 10;
/** What a bar of each time is. */
const bars = { '30': ['day', 30], '90': ['week', 13], '365': ['month', 12] } as const;

interface Time {
  readonly from: string;
  readonly made: number;
  readonly closed: number;
  readonly cancelled: number;
}

/** Orders of both sides that were made in the time; each bar stands there, also one without any. Read by the index of their making. */
export const statistic: Handler<typeof orderCalls.statistic> = async (ctx, { days, criteria }) => {
  const [unit, count] = bars[days];
  const step = sql.lit(`1 ${unit}`);
  const last = sql`date_trunc(${sql.lit(unit)}, ${ctx.now()}::timestamptz, 'UTC')`;
  const first = sql`(${last} - ${sql.lit(count - 1)} * interval ${step})`;
  const { deptId, partnerId, merchantId, productId } = criteria;
  const asked = [
    exact('dept_id', deptId),
    exact('partner_id', partnerId),
    exact('merchant_id', merchantId),
    exact('product_id', productId),
  ];
  const among = all(sql<boolean>`created_at >= ${first}`, ...asked);
  const times = await sql<Time>`
    with made as (
      select date_trunc(${sql.lit(unit)}, created_at, 'UTC') as bar, count(*)::int as made, (count(*) filter (where state = 'closed'))::int as closed,
        (count(*) filter (where state = 'cancelled'))::int as cancelled
      from order_order where ${among} group by 1
    )
    select to_char(b at time zone 'UTC', 'YYYY-MM-DD') as from, coalesce(m.made, 0) as made, coalesce(m.closed, 0) as closed, coalesce(m.cancelled, 0) as cancelled
    from generate_series(${first}, ${last}, interval ${step}, 'UTC') b left join made m on m.bar = b order by b`.execute(ctx.db);
  const faults = await sql<{ fault: string; count: number }>`
    select fault, count(*)::int as count from order_order where ${among} group by 1 order by 2 desc, 1 limit ${MOST}`.execute(ctx.db);
  const products = await sql<{ name: string; count: number }>`
    select product_name as name, count(*)::int as count from order_order where ${among} group by 1 order by 2 desc, 1 limit ${MOST}`.execute(
    ctx.db,
  );
  const average = await sql<{ days: number | null }>`
    select (avg(extract(epoch from closed_at - created_at)) / 86400)::float8 as days from order_order where ${among} and state = 'closed'`.execute(
    ctx.db,
  );
  return { times: times.rows, faults: faults.rows, products: products.rows, averageDays: average.rows[0]?.days ?? null };
};
