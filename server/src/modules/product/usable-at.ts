import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet, shareSet } from '../../platform/db/lock-set.ts';

/** Whether product `p` is usable at a path: its owner is on the same line, or it is shared with an organisation there or above; another share than `without`. */
export const usableAt = (path: RawBuilder<unknown>, without: RawBuilder<unknown> = sql`null`) => sql<boolean>`(
  starts_with(${path}, p.dept_path) or starts_with(p.dept_path, ${path}) or exists (select from product_share s
    where s.product_id = p.id and s.side = 'receiver' and s.pair is distinct from ${without}::uuid and starts_with(${path}, s.dept_path)))`;

/** Where a product is usable, to be asked of many places at once. */
export interface UsablePlaces {
  readonly owner: string;
  readonly shared: readonly string[];
}
/** With whom product `p` is shared, as far as that is in sight: for places in the range of who asks that is all that counts. */
export const sharedWith = sql<string[]>`array(select s.dept_path from product_share s where s.product_id = p.id and s.side = 'receiver')`;
/** As `usableAt` says it. */
export const isUsableAt = (path: string, { owner, shared }: UsablePlaces): boolean =>
  path.startsWith(owner) || owner.startsWith(path) || shared.some((one) => path.startsWith(one));

const shares = (productId: number) => `product shares:${productId}`;
/** Until the end of the transaction no share of the product ends: what reads after it that the product is usable may rely on it. */
export const keepShares = (db: Db, productId: number) => shareSet(db, shares(productId));
/** Waits for those who rely on its shares, and makes others wait. Before the product's row is locked, or the two would wait for each other. */
export const lockShares = (db: Db, productId: number) => lockSet(db, shares(productId));

/** The same for the products of these terminals. Before the terminals themselves are held. */
export async function keepSharesOf(db: Db, deviceIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select distinct product_id as id from device where id = any(${deviceIds}::bigint[]) and product_id is not null order by 1`.execute(db);
  for (const { id } of rows) await keepShares(db, id);
}

/** Device `d` may stand at a path: its product is usable there. */
export const fitsAt = (path: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from product_product p where p.id = d.product_id and not ${usableAt(path)})`;
/**
 * Which of these terminals are of a product that isn't usable at a path. Past the policy: the receiver's shares are its own. `within`: as their products
 * are there, where they may just have been given others.
 */
export async function unusableTo(ctx: Ctx, ids: readonly number[], path: string, within?: Db): Promise<ReadonlySet<number>> {
  return ids.length === 0 ? new Set() : ctx.unscoped((db) => unusableOf(db, ids, path, within));
}

export async function unusableOf(db: Db, ids: readonly number[], path: string, within = db): Promise<ReadonlySet<number>> {
  const devices = await sql<{ id: number; product: number }>`
    select id, product_id as product from device where id = any(${ids}::bigint[]) and product_id is not null`.execute(within);
  const products = [...new Set(devices.rows.map((row) => row.product))];
  const wrong = await sql<{ id: number }>`
    select p.id from product_product p where p.id = any(${products}::bigint[]) and not ${usableAt(sql`${path}::text`)}`.execute(db);
  const unusable = new Set(wrong.rows.map(({ id }) => id));
  return new Set(devices.rows.filter(({ product }) => unusable.has(product)).map(({ id }) => id));
}
