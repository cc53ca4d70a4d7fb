import { randomUUID } from 'node:crypto';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { ProductShare, productShareCalls } from '@mooring/contract/product/share-calls';
import { sql } from 'kysely';
import { all, contains } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { resource } from '../../platform/resource/resource.ts';
import { productToChange } from './model-rows.ts';
import { useOfShare } from './share-use.ts';
import { lockShares } from './usable-at.ts';

const MOST = 50;

export const shares = resource(
  ProductShare,
  { page: productShareCalls.page, export: productShareCalls.export },
  {
    table: 'product_share',
    small: true,
    target: (row) => `product ${row.product_id}`,
    joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
  },
);

/** Each side gets its row. Organisations on the product's own line see it anyway; one that has it already keeps its rows. */
export const shareProduct: Handler<typeof productShareCalls.share> = async (ctx, { id, deptIds }) => {
  const product = await productToChange(ctx, id);
  const owner = await ctx.db
    .selectFrom('product_product as p')
    .innerJoin('org_dept as o', 'o.id', 'p.dept_id')
    .select(['o.id', 'o.name', 'o.dept_path'])
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow();
  const depts = await ctx.db.selectFrom('org_dept').select(['id', 'name', 'dept_path']).where('id', 'in', deptIds).orderBy('id').execute();
  const inside = depts.find(({ dept_path: path }) => path.startsWith(product.dept_path) || product.dept_path.startsWith(path));
  if (inside) throw new Fault('SHARE_INSIDE', { params: { name: inside.name }, fields: { deptIds: 'fault.SHARE_INSIDE' } });
  // Whose it is now: an organisation that was merged into another took its shares there.
  const had = await ctx.unscoped((db) =>
    db
      .selectFrom('product_share')
      .select('dept_id')
      .where('product_id', '=', id)
      .where('side', '=', 'receiver')
      .where('dept_id', 'in', deptIds)
      .execute(),
  );
  const has = new Set(had.map((row) => row.dept_id));
  const rows = depts
    .filter((dept) => !has.has(dept.id))
    .flatMap((dept) => {
      const common = { pair: randomUUID(), product_id: id, shared_by: ctx.actor.userName, created_at: ctx.now() };
      return [
        { ...common, side: 'giver', dept_id: owner.id, dept_path: owner.dept_path, other_id: dept.id, other_name: dept.name },
        { ...common, side: 'receiver', dept_id: dept.id, dept_path: dept.dept_path, other_id: owner.id, other_name: owner.name },
      ];
    });
  if (rows.length > 0) await ctx.db.insertInto('product_share').values(rows).execute();
  for (const { dept_path: path } of depts) await ctx.invalidate(ctx.db, '/product', path);
  ctx.audit({ target: `product ${product.code}`, after: { sharedWith: depts.map(({ name }) => name) } });
  return { shared: rows.length / 2 };
};

export const searchReceivers: Handler<typeof productShareCalls.receivers> = async (ctx, { id, text, ids }) => {
  const product = await productToChange(ctx, id);
  return ctx.db
    .selectFrom('org_dept as o')
    .select(['o.id', 'o.name'])
    .where(
      all(
        sql<boolean>`o.dept_path >= ${ctx.scope.path} and o.dept_path < ${`${ctx.scope.path}~`} and is_dept_open(o.dept_path)`,
        sql<boolean>`not starts_with(o.dept_path, ${product.dept_path}) and not starts_with(${product.dept_path}, o.dept_path)`,
        ids === undefined ? contains('o.name', text || undefined) : sql<boolean>`o.id = any(${ids}::bigint[])`,
      ),
    )
    .orderBy('o.dept_path')
    .limit(ids?.length || MOST)
    .execute();
};

/** Both sides’ rows go; not while the organisation or one below it uses the product, which would name nothing any more. */
export const unshareProduct: Handler<typeof productShareCalls.unshare> = async (ctx, { id, shareId }) => {
  await lockShares(ctx.db, id);
  const product = await productToChange(ctx, id, sql`for update`);
  // The other side's row, and what it has of the product, may be out of the owner's range.
  const ended = await ctx.unscoped(async (db) => {
    const found = await sql<{ pair: string; path: string; name: string }>`
      select r.pair, r.dept_path as path, o.name from product_share s join product_share r on r.pair = s.pair and r.side = 'receiver'
      join org_dept o on o.id = r.dept_id where s.id = ${shareId} and s.product_id = ${id}`.execute(db);
    const share = found.rows[0];
    if (!share) throw fault('NOT_FOUND');
    const use = await useOfShare(db, share.pair, ctx.now());
    if (Object.values(use).some((n) => n > 0)) throw new Fault('SHARE_IN_USE', { params: { ...use } });
    await db.deleteFrom('product_share').where('pair', '=', share.pair).execute();
    return share;
  });
  for (const group of ['/product', '/product/share']) await ctx.invalidate(ctx.db, group, ended.path);
  ctx.audit({ target: `product ${product.code}`, before: { sharedWith: ended.name } });
  return null;
};
