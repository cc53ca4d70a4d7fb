import { orderCostMachine, orderMachine, orderWarrantyMachine } from '@mooring/contract/order/state-machines';
import { sql } from 'kysely';
import { statefulTable } from '../../platform/db/move.ts';
import type { RowIn } from '../../platform/resource/resource.ts';

export type OrderRow = RowIn<'order_order'>;
export const orderRows = statefulTable('order_order', orderMachine);
export const warrantyRows = statefulTable('order_order', orderWarrantyMachine, 'warranty');
export const costRows = statefulTable('order_order', orderCostMachine, 'costs');

/** A day of a column, as calls name it. */
export const dayOf = (day: Date | null): string | null => (day === null ? null : new Date(day).toISOString().slice(0, 10));

/** Days are those of UTC, whatever the zone of a connection. */
export const today = (now: Date) => sql`${now.toISOString().slice(0, 10)}::date`;

/** What is said in one line; what there isn't is left out. */
export const together = (...parts: readonly (string | false | null)[]): string => parts.filter(Boolean).join(' · ');
