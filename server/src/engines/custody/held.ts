import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Acts that take a terminal another way than its document says. */
export type Way = 'stockIn' | 'issue' | 'move';

const inTransfer = sql<boolean>`inventory_in_transfer(d.id)`;
const isSold = sql<boolean>`inventory_is_sold(d.id, d.dept_path)`;

/** Nothing holds device `d` back: neither a dispatch that waits for it nor, on its way into stock, a sale that is open. */
export const isFree = (way: Way): RawBuilder<boolean> =>
  way === 'stockIn' ? sql<boolean>`not (${inTransfer} or ${isSold})` : sql<boolean>`not ${inTransfer}`;

/** Why these can't go that way, by id: DEVICE_IN_TRANSFER, DEVICE_SOLD. Others have reasons of their own. */
export async function whyHeld(db: Db, way: Way, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; why: string }>`
    select d.id, case when ${inTransfer} then 'DEVICE_IN_TRANSFER' else 'DEVICE_SOLD' end as why
    from device d where d.id = any(${ids}::bigint[]) and not ${isFree(way)}`.execute(db);
  return new Map(rows.map(({ id, why }) => [id, why]));
}

/** Those that are free to go, held until the transaction ends: a dispatch takes its terminals first too. */
export async function holdFree(db: Db, way: Way, ids: readonly number[]): Promise<readonly number[]> {
  await sql`select from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: number }>`select d.id from device d where d.id = any(${ids}::bigint[]) and ${isFree(way)}`.execute(db);
  return rows.map(({ id }) => id);
}
