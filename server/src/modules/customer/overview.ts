import { IOT_COUNT_CAP, type iotCustomerCalls } from '@mooring/contract/customer/customer';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';

const FAULTS = 10;

/** What waits, what went out in the last day, and why it last failed. */
export const overview: Handler<typeof iotCustomerCalls.overview> = async (ctx, { id }) => {
  const known = await ctx.db.selectFrom('customer_iot').select('id').where('id', '=', id).executeTakeFirst();
  if (!known) throw new Fault('NOT_FOUND', { code: 404 });
  const now = ctx.now();
  const backlog = await sql<{ n: number; oldest: Date | null }>`
    select (select count(*)::int from (select from customer_message where customer_id = ${id} and fate = 'waiting' limit ${IOT_COUNT_CAP + 1}) x) as n,
      (select at from customer_message where customer_id = ${id} and fate = 'waiting' order by id limit 1) as oldest`.execute(ctx.db);
  const hours = await sql<{ hour: Date; sent: number; refused: number; dropped: number }>`
    select g.hour, coalesce(h.sent, 0)::int as sent, coalesce(h.refused, 0)::int as refused, coalesce(h.dropped, 0)::int as dropped
    from generate_series(date_trunc('hour', ${now}::timestamptz) - interval '23 hours', date_trunc('hour', ${now}::timestamptz), interval '1 hour') as g(hour)
    left join customer_hour h on h.customer_id = ${id} and h.hour = g.hour order by g.hour`.execute(ctx.db);
  const faults = await sql<{ at: Date; reason: string }>`
    select at, detail ->> 'reason' as reason from state_change where life = 'iotCustomer' and row_id = ${id} and event = 'fail' and detail ->> 'reason' is not null
    order by at desc limit ${FAULTS}`.execute(ctx.db);
  const { n = 0, oldest = null } = backlog.rows[0] ?? {};
  return { waiting: Math.min(n, IOT_COUNT_CAP), capped: n > IOT_COUNT_CAP, oldestAt: oldest, hours: hours.rows, faults: faults.rows };
};
