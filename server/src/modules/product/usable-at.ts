import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { lockSet, shareSet } from '../../platform/db/lock-set.ts';

/** Whether product `p` is usable at a path: its owner is on the same line, or it is shared with an organisation there or above; another share than `without`. */
export const usableAt = (path: RawBuilder<unknown>, without: RawBuilder<unknown> = sql`null`) => sql<boolean>`(
  starts_with(${path}, p.dept_path) or starts_with(p.dept_path, ${path}) or exists (select from product_share s
    where s.product_id = p.id and s.side = 'receiver' and s.pair is distinct from ${without}::uuid and starts_with(${path}, s.dept_path)))`;

const shares = (productId: number) => `product shares:${productId}`;
/** Until the end of the transaction no share of the product ends: what reads after it that the product is usable may rely on it. */
export const keepShares = (db: Db, productId: number) => shareSet(db, shares(productId));
/** Waits for those who rely on its shares, and makes others wait. Before the product's row is locked, or the two would wait for each other. */
export const lockShares = (db: Db, productId: number) => lockSet(db, shares(productId));
