import { type productCalls, productCategories, type productCategoryCalls } from '@mooring/contract/product/calls';
import { all, containsWords, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { productOf, selectProducts } from './product.queries.ts';

export const pageProducts: Handler<typeof productCalls.page> = (ctx, { criteria, page: wanted }) => {
  return page(
    ctx.db,
    selectProducts(ctx.db).where(
      all(
        containsWords(['p.name', 'p.code'], criteria.text),
        exact('p.category', criteria.category),
        exact('p.publish_status', criteria.publishStatus),
      ),
    ),
    {
      page: wanted,
      sorts: { createdAt: 'p.created_at', name: 'p.name', code: 'p.code' },
      id: 'p.id',
      map: productOf(ctx),
    },
  );
};

const MOST = 200;

export const listProducts: Handler<typeof productCalls.list> = async (ctx, { text }) => {
  const rows = await ctx.db
    .selectFrom('product_product')
    .select(['id', 'code', 'name', 'category'])
    .where('publish_status', '=', '1')
    .where(all(containsWords(['name', 'code'], text || undefined)))
    .orderBy('name')
    .limit(MOST)
    .execute();
  return rows.map((row) => ({ ...row, category: row.category as 'smartPos' }));
};

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
