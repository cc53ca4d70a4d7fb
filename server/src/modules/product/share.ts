import { randomUUID } from 'node:crypto';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { ProductShare, productShareCalls } from '@mooring/contract/product/share-calls';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';
import { resource } from '../../platform/resource/resource.ts';
import { productToChange } from './model-rows.ts';

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
  const had = await ctx.db
    .selectFrom('product_share')
    .select('other_id')
    .where('product_id', '=', id)
    .where('side', '=', 'giver')
    .where('other_id', 'in', deptIds)
    .execute();
  const has = new Set(had.map((row) => row.other_id));
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

/** Both sides’ rows go; not while the organisation or one below it has terminals of the product, which would name nothing any more. */
export const unshareProduct: Handler<typeof productShareCalls.unshare> = async (ctx, { id, deptId }) => {
  const product = await productToChange(ctx, id);
  // The other side's row, and its terminals, may be out of the owner's range.
  const { path, count } = await ctx.unscoped(async (db) => {
    const found = await sql<{ path: string; n: number }>`
      select s.dept_path as path, (select count(*) from device d where d.product_id = s.product_id and d.deleted_at is null
        and d.dept_path >= s.dept_path and d.dept_path < s.dept_path || '~')::int as n
      from product_share s where s.product_id = ${id} and s.dept_id = ${deptId} and s.side = 'receiver'`.execute(db);
    const row = found.rows[0];
    if (!row) throw fault('NOT_FOUND');
    if (row.n === 0)
      await sql`delete from product_share where pair in (select pair from product_share where product_id = ${id} and dept_id = ${deptId} and side = 'receiver')`.execute(
        db,
      );
    return { path: row.path, count: row.n };
  });
  if (count > 0) throw new Fault('SHARE_IN_USE', { params: { count } });
  for (const group of ['/product', '/product/share']) await ctx.invalidate(ctx.db, group, path);
  ctx.audit({ target: `product ${product.code}`, before: { sharedWith: deptId } });
  return null;
};
