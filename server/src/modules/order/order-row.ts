import { orderCostMachine, orderMachine, orderWarrantyMachine } from '@mooring/contract/order/state-machines';
import { dayOf as dayIn } from '@mooring/contract/shared/date-range';
import { sql } from 'kysely';
import { statefulTable } from '../../platform/db/move.ts';
import type { RowIn } from '../../platform/resource/resource.ts';

export type OrderRow = RowIn<'order_order'>;
export const orderRows = statefulTable('order_order', orderMachine);
export const warrantyRows = statefulTable('order_order', orderWarrantyMachine, 'warranty');
export const costRows = statefulTable('order_order', orderCostMachine, 'costs');

/** Days are those of UTC, whatever the zone of a connection. */
export const utcDay = (at: Date): string => dayIn(at, 'UTC');
/** A day of a column, as calls name it. */
export const dayOf = (day: Date | null): string | null => (day === null ? null : utcDay(new Date(day)));
export const today = (now: Date) => sql`${utcDay(now)}::date`;

/** What is said in one line; what there isn't is left out. */
export const together = (...parts: readonly (string | false | null)[]): string => parts.filter(Boolean).join(' · ');

/** The steps that send a terminal back. */
export const returnSteps = ['repaired', 'replace', 'refuse'];
/** Since when it is on its way back; null while it isn't. */
export const returnedAt = (table: string) => {
  const [id, state] = [sql.ref(`${table}.id`), sql.ref(`${table}.state`)];
  return sql<Date | null>`case when ${state} = 'returning' then (
    select e.at from order_entry e where e.order_id = ${id} and e.event = any(${returnSteps}::text[]) order by e.id desc limit 1) end`;
};
