import { productCategories, type productCategoryCalls } from '@mooring/contract/product/calls';
import type { Handler } from '../../platform/module.ts';

/** The categories that have a product which this scope sees. Their ids are their places in the specification's list. */
export const visibleCategories: Handler<typeof productCategoryCalls.visible> = async (ctx, { criteria, page: wanted }) => {
  const rows = await ctx.db
    .selectFrom('product_product')
    .select(['category'])
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .groupBy('category')
    .execute();
  const byName = new Map(rows.map((row) => [row.category, row.n]));
  const { id } = criteria;
  const wantedIds = id === undefined ? undefined : typeof id === 'number' ? [id] : id.in;
  const found = productCategories
    .map((code, at) => ({ id: at + 1, code, name: code, products: byName.get(code) ?? 0 }))
    .filter((one) => one.products > 0 && (!wantedIds || wantedIds.includes(one.id)));
  const first = (wanted.number - 1) * wanted.size;
  return {
    content: found.slice(first, first + wanted.size),
    total: found.length,
    capped: false,
    number: wanted.number,
    size: wanted.size,
    next: null,
    prev: null,
  };
};
