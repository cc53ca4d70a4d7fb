import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { keepShares, usableAt } from '../product/api.ts';

/**
 * Terminals of an act, until the end of its transaction: first the shares of their products, then themselves in the order of ids, then whatever
 * else it touches. A unit that moves takes its terminals first too, or the two would wait for each other.
 */
export async function holdDevices(db: Db, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select distinct product_id as id from device where id = any(${ids}::bigint[]) and product_id is not null order by 1`.execute(db);
  for (const { id } of rows) await keepShares(db, id);
  await sql`select from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
}

/** Which of these terminals are of a product that isn't usable at a path. Past the policy: the receiver's shares are its own. */
export const unusableTo = async (ctx: Ctx, ids: readonly number[], path: string): Promise<ReadonlySet<number>> =>
  ids.length === 0 ? new Set() : ctx.unscoped((db) => unusableOf(db, ids, path));

export async function unusableOf(db: Db, ids: readonly number[], path: string): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select d.id from device d join product_product p on p.id = d.product_id
    where d.id = any(${ids}::bigint[]) and not ${usableAt(sql`${path}::text`)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
