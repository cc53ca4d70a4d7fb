import type { Dispatch, Transfer } from '@mooring/contract/inventory/dispatch';
import type { Arrival, Receipt } from '@mooring/contract/inventory/receipt';
import type { AnyEntity } from '@mooring/contract/kit/entity';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { all, containsWords, exact, range } from '../../platform/db/criteria.ts';

/** Rows of a list that were chosen: by their ids, or all that match but some. */
export type Chosen<E extends AnyEntity> = { readonly ids: readonly number[] } | ByCriteria<E>;
interface ByCriteria<E extends AnyEntity> {
  readonly criteria: z.output<E['criteria']>;
  readonly except: readonly number[];
}

const named = (alias: string, ids: readonly number[]) => sql<boolean>`${sql.ref(`${alias}.id`)} = any(${ids}::bigint[])`;
const without = (alias: string, ids: readonly number[]) => sql<boolean>`${sql.ref(`${alias}.id`)} <> all(${ids}::bigint[])`;

/** Transfers `t`. */
export function chosenTransfers(of: Chosen<typeof Transfer>): RawBuilder<boolean> {
  if ('ids' in of) return named('t', of.ids);
  const { text, dispatchId, state } = of.criteria;
  return all(containsWords(['t.sn'], text), exact('t.dispatch_id', dispatchId), exact('t.state', state), without('t', of.except));
}
/** Dispatches `h`. */
export function chosenDispatches(of: Chosen<typeof Dispatch>): RawBuilder<boolean> {
  if ('ids' in of) return named('h', of.ids);
  const { text, state, toId, createdAt } = of.criteria;
  const search = containsWords(['h.number', 'h.to_name', 'h.remark'], text);
  return all(search, exact('h.state', state), exact('h.to_id', toId), range('h.created_at', createdAt), without('h', of.except));
}
/** Arrivals `a`. */
export function chosenArrivals(of: Chosen<typeof Arrival>): RawBuilder<boolean> {
  if ('ids' in of) return named('a', of.ids);
  const { text, receiptId, state } = of.criteria;
  return all(containsWords(['a.sn'], text), exact('a.receipt_id', receiptId), exact('a.state', state), without('a', of.except));
}
/** Receipts `r`. */
export function chosenReceipts(of: Chosen<typeof Receipt>): RawBuilder<boolean> {
  if ('ids' in of) return named('r', of.ids);
  const { text, deptId, createdAt } = of.criteria;
  const search = containsWords(['r.number', 'r.from_name', 'r.document'], text);
  return all(search, exact('r.dept_id', deptId), range('r.created_at', createdAt), without('r', of.except));
}
