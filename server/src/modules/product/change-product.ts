import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { productCalls } from '@mooring/contract/product/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { productRows, readProduct } from './product.queries.ts';

const columns = (input: {
  name: string;
  category: string;
  firm: string;
  industry: string;
  networks: string[];
  packageKinds: string[];
  heartbeatSeconds: number;
  remark: string;
}) => ({
  name: input.name,
  category: input.category,
  firm: input.firm,
  industry: input.industry,
  networks: input.networks,
  package_kinds: input.packageKinds,
  heartbeat_seconds: input.heartbeatSeconds,
  remark: input.remark,
});

/** The row if it is the actor's to change, not merely readable from below. */
async function owned(ctx: Ctx, id: number) {
  const row = await ctx.db.selectFrom('product_product').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

export const addProduct: Handler<typeof productCalls.add> = async (ctx, input) => {
  if (input.publish && !isAllowed(ctx.actor.permissions, productCalls.publish.can)) throw fault('FORBIDDEN');
  const owner = await ctx.db
    .selectFrom('org_dept')
    .select(['id', 'dept_path'])
    .where('dept_path', '=', ctx.scope.path)
    .executeTakeFirstOrThrow();
  // Past the policy: a code is one product in the whole installation.
  const taken = await ctx.unscoped((db) =>
    db.selectFrom('product_product').select('id').where(sql`lower(code)`, '=', input.code.toLowerCase()).limit(1).executeTakeFirst(),
  );
  const made = taken
    ? undefined
    : await ctx.db
        .insertInto('product_product')
        .values({ code: input.code, ...columns(input), dept_id: owner.id, dept_path: owner.dept_path })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
  if (!made) throw new Fault('PRODUCT_CODE_TAKEN', { fields: { code: 'fault.PRODUCT_CODE_TAKEN' } });
  await recordCreated(ctx.db, productRows, [made.id], ctx.actor.userId);
  if (input.publish) await move(ctx.db, productRows, 'publish', [made.id], { actorId: ctx.actor.userId });
  ctx.audit({ target: `product ${input.code}` });
  return readProduct(ctx, made.id);
};

export const updateProduct: Handler<typeof productCalls.update> = async (ctx, { id, ...input }) => {
  const before = await owned(ctx, id);
  await ctx.db.updateTable('product_product').set(columns(input)).where('id', '=', id).execute();
  ctx.audit({
    target: `product ${before.code}`,
    before: columns({ ...before, packageKinds: before.package_kinds, heartbeatSeconds: before.heartbeat_seconds }),
    after: columns(input),
  });
  return readProduct(ctx, id);
};

/** A reference from a device or a package, also one that the actor doesn't see, keeps it. */
export const deleteProduct: Handler<typeof productCalls.delete> = async (ctx, { id }) => {
  const row = await owned(ctx, id);
  if (row.publish_status !== '0') throw new Fault('PRODUCT_IN_USE');
  await sql`savepoint before_delete`.execute(ctx.db);
  try {
    await ctx.db.deleteFrom('product_product').where('id', '=', id).execute();
  } catch (error) {
    if ((error as { code?: string }).code !== '23503' && (error as { code?: string }).code !== '23001') throw error;
    await sql`rollback to savepoint before_delete`.execute(ctx.db);
    throw new Fault('PRODUCT_IN_USE');
  }
  ctx.audit({ target: `product ${row.code}` });
  return null;
};

export const moveProduct =
  (event: 'publish' | 'unpublish') =>
  async (ctx: Ctx, { id }: { id: number }) => {
    await owned(ctx, id);
    if ((await move(ctx.db, productRows, event, [id], { actorId: ctx.actor.userId })).length === 0) throw fault('OVERTAKEN');
    return readProduct(ctx, id);
  };
