import { fault } from '@mooring/contract/kit/fault';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import { modelChanges } from '@mooring/contract/product/model-changes';
import { allowedActions } from '../../platform/allowed-actions.ts';
import type { Handler } from '../../platform/module.ts';
import { modelById, modelIn, modelOf, versionOf } from './model-rows.ts';

type Calls = typeof productModelCalls;

export const modelDetail: Handler<Calls['detail']> = async (ctx, { id }) => versionOf(await modelById(ctx, id));

export const currentModel: Handler<Calls['current']> = async (ctx, { productId }) => {
  const [draft, published] = [await modelIn(ctx, productId, 'draft'), await modelIn(ctx, productId, 'published')];
  const product = await ctx.db.selectFrom('product_product').select('dept_path').where('id', '=', productId).executeTakeFirstOrThrow();
  const acts = { edit: productModelCalls.save, publish: productModelCalls.publish };
  return {
    draft: draft ? versionOf(draft) : null,
    published: published ? versionOf(published) : null,
    allowedActions: allowedActions(ctx, acts, { owner: product.dept_path }),
  };
};

export const compareModels: Handler<Calls['compare']> = async (ctx, { id, next }) => {
  const [old, now] = [await modelById(ctx, id), await modelById(ctx, next)];
  if (old.product_id !== now.product_id) throw fault('NOT_FOUND');
  return { old: old.version, next: now.version, changes: modelChanges(modelOf(old), modelOf(now)) };
};

/** The model alone, as `import` takes it. */
export const exportModel: Handler<Calls['export']> = async (ctx, { id }, { reply }) => {
  const row = await modelById(ctx, id);
  const { code } = await ctx.db.selectFrom('product_product').select('code').where('id', '=', row.product_id).executeTakeFirstOrThrow();
  return reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${code}-model-${row.version}.json`)}`,
      'cache-control': 'private, no-store',
    })
    .send(JSON.stringify(modelOf(row), undefined, 2));
};
