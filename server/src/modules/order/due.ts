import { Fault } from '@mooring/contract/kit/fault';
import { overStates } from '@mooring/contract/order/state-machines';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { dayOf, type OrderRow, today, utcDay } from './order-row.ts';

const over = [...overStates];

/** What is on its way back has been done: nothing of it is due any more. Null, where there is no due date. */
export const isLate = (now: Date, table: string) => {
  const [due, state] = [sql.ref(`${table}.due_on`), sql.ref(`${table}.state`)];
  return sql<boolean>`(${due} < ${today(now)} and ${state} <> 'returning' and ${state} <> all(${over}::text[]))`;
};

/** Where a due date is given at all. */
export const isOtherDue = ({ due_on }: Pick<OrderRow, 'due_on'>, dueOn: string | null | undefined): dueOn is string | null =>
  dueOn !== undefined && dueOn !== dayOf(due_on);

/** A date that is over, by the days that make an order late, is no date to keep. Fault: ORDER_DUE_PAST. */
export function checkDue(ctx: Pick<Ctx, 'now'>, dueOn: string | null | undefined): void {
  if (typeof dueOn === 'string' && isPast(ctx, dueOn)) throw new Fault('ORDER_DUE_PAST', { fields: { dueOn: 'fault.ORDER_DUE_PAST' } });
}
export const isPast = (ctx: Pick<Ctx, 'now'>, day: string): boolean => day < utcDay(ctx.now());
