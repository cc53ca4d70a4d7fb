import type { alarmCalls } from '@mooring/contract/alert/alarm';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';

const MOST = 10;
const DAY_MS = 86_400_000;

interface Day {
  readonly day: string;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
}
interface Named {
  readonly id: number;
  readonly name: string;
  readonly count: number;
}

/** Raised alarms of the scope, from the sums by day; each day of the time stands there, also one without any. */
export const statistic: Handler<typeof alarmCalls.statistic> = async (ctx, { days }) => {
  const today = Date.parse(ctx.now().toISOString().slice(0, 10));
  const all = Array.from({ length: Number(days) }, (_, at) =>
    new Date(today - (Number(days) - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
  const { path } = ctx.scope;
  const among = sql`alert_tally y where y.dept_path >= ${path} and y.dept_path < ${`${path}~`} and y.day >= ${all[0]}::date`;
  const byDay = await sql<Day>`
    select y.day::text as day, sum(n) filter (where priority = '1')::int as high, sum(n) filter (where priority = '2')::int as medium,
      sum(n) filter (where priority = '3')::int as low from ${among} group by 1`.execute(ctx.db);
  const rules = await sql<Named>`
    select c.id, coalesce(r.name, l.rule_name, '') as name, c.count from (select rule_id as id, sum(n)::int as count from ${among} and rule_id is not null group by 1) c
    left join alert_rule r on r.id = c.id
    left join lateral (select a.rule_name from alert_alarm a where r.id is null and a.rule_id = c.id order by a.opened_at desc limit 1) l on true order by c.count desc, c.id limit ${MOST}`.execute(
    ctx.db,
  );
  const products = await sql<Named>`
    select c.id, p.name, c.count from (select product_id as id, sum(n)::int as count from ${among} and product_id is not null group by 1) c
    join product_product p on p.id = c.id order by c.count desc, c.id limit ${MOST}`.execute(ctx.db);
  const found = new Map(byDay.rows.map((row) => [row.day, row]));
  return {
    days: all.map((day) => {
      const { high, medium, low } = found.get(day) ?? { high: 0, medium: 0, low: 0 };
      return { day, high: high ?? 0, medium: medium ?? 0, low: low ?? 0 };
    }),
    rules: rules.rows,
    products: products.rows,
  };
};
