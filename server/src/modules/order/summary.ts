import type { orderCalls } from '@mooring/contract/order/calls';
import { overStates } from '@mooring/contract/order/state-machines';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { isLate } from './due.ts';
import { isSide } from './sides.ts';

const MOST = 10_000;
const over = [...overStates];
const SERVES = ['created', 'received', 'repairing'];

/** Open orders whose next step is that of whoever acts for a path. */
export const waitsFor = (path: string, table: string) => {
  const [state, costs, warranty, carrier, parcel] = ['state', 'costs', 'warranty', 'out_carrier', 'out_number'].map((column) =>
    sql.ref(`${table}.${column}`),
  );
  const isToSend = sql`(${state} = 'accepted' and ${carrier} = '' and ${parcel} = '')`;
  // The other side's word on costs or on warranty.
  const asked = sql`(${costs} = 'asked' or ${state} = 'received' and ${warranty} = 'denied' and ${costs} <> 'refused')`;
  return sql<boolean>`(${state} <> all(${over}::text[]) and ((${isSide('service', path, table)} and ${state} = any(${SERVES}::text[]) and not ${asked})
    or (${isSide('customer', path, table)} and (${state} = 'returning' or ${isToSend} or ${asked}))))`;
};

interface Open {
  readonly open: number;
  readonly late: number;
  readonly waiting: number;
}

/** What is open, is late, and waits for one's own side: each counted to the limit among all that is open, by the indexes of open orders. */
export async function countOpen(ctx: Ctx, db: Db): Promise<Open> {
  const { path } = ctx.scope;
  const counted = (which: RawBuilder<unknown>) =>
    sql`(select count(*)::int from (select from order_order o where o.state <> all(${over}::text[]) and ${which} limit ${MOST + 1}) c)`;
  const { rows } = await sql<Open>`
    select ${counted(sql`true`)} as open, ${counted(isLate(ctx.now(), 'o'))} as late, ${counted(waitsFor(path, 'o'))} as waiting`.execute(
    db,
  );
  return rows[0] ?? { open: 0, late: 0, waiting: 0 };
}

export const summary: Handler<typeof orderCalls.summary> = async (ctx) => {
  const { open, late, waiting } = await countOpen(ctx, ctx.db);
  return { open: Math.min(open, MOST), late: Math.min(late, MOST), waiting: Math.min(waiting, MOST), capped: open > MOST };
};
