import type { OutputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { productModelCalls } from '@mooring/contract/product/model-calls';
import type { ThingModel } from '@mooring/contract/product/thing-model';
import { thingLists } from '@mooring/contract/product/thing-model';
import type { DB } from '@mooring/database/tables';
import { type Selectable, sql } from 'kysely';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx } from '../../platform/context.ts';
import { models } from './model.resource.ts';

export type ModelRow = Selectable<DB['product_model']>;
type Version = OutputOf<typeof productModelCalls.detail>;

export const modelOf = (row: Pick<ModelRow, 'model'>): ThingModel => row.model as unknown as ThingModel;
export const sizeOf = (model: ThingModel): number => thingLists.reduce((sum, list) => sum + model[list].length, 0);

/** A version as its calls answer it. */
export const versionOf = (row: ModelRow): Version => ({
  id: row.id,
  version: row.version,
  productId: row.product_id,
  state: row.state as Version['state'],
  note: row.note,
  entries: sizeOf(modelOf(row)),
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  publishedAt: row.published_at?.toISOString() ?? null,
  revision: row.revision,
  model: modelOf(row),
  ...allowing<string>([]),
});

export async function modelById(ctx: Ctx, id: number): Promise<ModelRow> {
  const row = await ctx.db.selectFrom('product_model').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}
export const modelIn = (ctx: Ctx, productId: number, state: 'draft' | 'published'): Promise<ModelRow | undefined> =>
  ctx.db.selectFrom('product_model').selectAll().where('product_id', '=', productId).where('state', '=', state).executeTakeFirst();

/**
 * The product, held until the end of the transaction: of two that change its model one comes after the other. Only its owner's side may. Rows
 * that name it, such as new terminals, don't wait for it.
 */
export async function productToChange(
  ctx: Pick<Ctx, 'db'> & { readonly scope: Pick<Ctx['scope'], 'path'> },
  productId: number,
  lock = sql`for no key update`,
): Promise<{ id: number; code: string; name: string; dept_path: string }> {
  const { rows } = await sql<{ id: number; code: string; name: string; dept_path: string }>`
    select id, code, name, dept_path from product_product where id = ${productId} ${lock}`.execute(ctx.db);
  const row = rows[0];
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

/** The draft of a product as the person saw it: another one, or none where there was one, is somebody else's change. */
export async function draftSeen(ctx: Ctx, productId: number, seen: number | null, id?: number): Promise<ModelRow | undefined> {
  const draft = await modelIn(ctx, productId, 'draft');
  if ((draft?.revision ?? null) !== seen || (id !== undefined && draft?.id !== id)) throw fault('OVERTAKEN');
  return draft;
}
export const wrongAt = (at: string): Fault => new Fault('MODEL_UNREADABLE', { params: { at } });
export const stateful = models.rows;
