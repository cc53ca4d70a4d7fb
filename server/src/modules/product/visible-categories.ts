import type { productCategoryCalls } from '@mooring/contract/product/category-calls';
import { all, exact } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { labelOf } from '../../platform/texts/dict-label.ts';

/** The categories that are offered and have a product which this scope sees, in the order of their list. */
export const visibleCategories: Handler<typeof productCategoryCalls.visible> = async (ctx, { criteria, page: wanted }) => {
  const rows = await ctx.db
    .selectFrom('settings_dict_entry as e')
    .innerJoin('settings_dict as d', 'd.id', 'e.dict_id')
    .innerJoin('product_product as p', 'p.category', 'e.value')
    .select(['e.id', 'e.value', 'e.labels', 'e.text_key'])
    .select((eb) => eb.fn.count<number>('p.id').as('products'))
    .where(all(exact('d.code', 'productCategory'), exact('e.enabled', true), exact('e.id', criteria.id)))
    .groupBy(['e.id'])
    .orderBy('e.sort')
    .orderBy('e.id')
    .execute();
  const first = (wanted.number - 1) * wanted.size;
  return {
    content: rows
      .slice(first, first + wanted.size)
      .map((row) => ({ id: row.id, code: row.value, name: labelOf(row, ctx.lang), products: row.products })),
    total: rows.length,
    capped: false,
    number: wanted.number,
    size: wanted.size,
    next: null,
    prev: null,
  };
};
