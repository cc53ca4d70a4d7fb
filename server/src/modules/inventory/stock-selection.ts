import type { Stock } from '@mooring/contract/inventory/stock';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { all, containsWords, exact, range } from '../../platform/db/criteria.ts';

type Criteria = z.output<typeof Stock.criteria>;
export type StockSelection = { ids: number[] } | { criteria: Criteria; except: number[] };

/** Rows `d` of the stock that are chosen, by what its list filters by. */
export function whichStock(of: StockSelection): RawBuilder<boolean> {
  if ('ids' in of) return sql<boolean>`d.id = any(${of.ids}::bigint[])`;
  const { text, productId, deptId, since, entryType } = of.criteria;
  return sql<boolean>`${all(
    containsWords(['d.sn', 'd.document'], text),
    exact('d.product_id', productId),
    exact('d.dept_id', deptId),
    range('d.since', since),
    exact('d.entry_type', entryType),
  )} and d.id <> all(${of.except}::bigint[])`;
}
