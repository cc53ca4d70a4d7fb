import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { productModelCalls } from '@mooring/contract/product/model-calls';
import { modelChanges } from '@mooring/contract/product/model-changes';
import { emptyModel, ThingModel } from '@mooring/contract/product/thing-model';
import type { Ctx } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { draftSeen, modelById, modelIn, modelOf, productToChange, sizeOf, stateful, versionOf, wrongAt } from './model-rows.ts';

type Calls = typeof productModelCalls;
interface Draft {
  readonly productId: number;
  readonly seen: number | null;
  readonly model: ThingModel;
  readonly note: string;
}

/** The draft becomes this one; where there is none it is begun, after the last version. */
async function writeDraft(ctx: Ctx, { productId, seen, model, note }: Draft) {
  const product = await productToChange(ctx, productId);
  const draft = await draftSeen(ctx, productId, seen);
  const values = { model: JSON.stringify(model), note };
  let id = draft?.id;
  if (id === undefined) {
    const last = await ctx.db
      .selectFrom('product_model')
      .select((eb) => eb.fn.max('version').as('version'))
      .where('product_id', '=', productId)
      .executeTakeFirst();
    const row = { ...values, product_id: productId, version: (last?.version ?? 0) + 1, dept_path: product.dept_path };
    // A server that knows no lock of the product may have begun one.
    const made = await unlessRefused(
      ctx.db,
      () =>
        ctx.db
          .insertInto('product_model')
          .values({ ...row, created_by: ctx.actor.userName, created_at: ctx.now() })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ({ kind }) => (kind === 'unique' ? fault('OVERTAKEN') : undefined),
    );
    id = made.id;
    await recordCreated(ctx.db, stateful, [id], ctx.actor.userId);
  } else await ctx.db.updateTable('product_model').set(values).where('id', '=', id).execute();
  ctx.audit({ target: `thing model ${product.name}`, ...(draft ? { before: modelOf(draft) } : {}), after: model });
  return versionOf(await modelById(ctx, id));
}

export const saveModel: Handler<Calls['save']> = (ctx, input) => writeDraft(ctx, input);

const placeOf = (path: readonly PropertyKey[]) =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '') || '$';

/** A model as it comes from a file: what of it is wrong is named by its place. */
export const importModel: Handler<Calls['import']> = async (ctx, { productId, seen, text }) => {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw wrongAt('none');
  }
  const parsed = ThingModel.safeParse(given);
  if (!parsed.success) throw wrongAt(placeOf(parsed.error.issues[0]?.path ?? []));
  const before = await modelIn(ctx, productId, 'draft');
  return writeDraft(ctx, { productId, seen, model: parsed.data, note: before?.note ?? '' });
};

export const discardModel: Handler<Calls['discard']> = async (ctx, { id, seen }) => {
  const row = await modelById(ctx, id);
  const product = await productToChange(ctx, row.product_id);
  await draftSeen(ctx, row.product_id, seen, id);
  await ctx.db.deleteFrom('product_model').where('id', '=', id).where('state', '=', 'draft').execute();
  ctx.audit({ target: `thing model ${product.name}`, before: modelOf(row) });
  return null;
};

/** The draft takes the place of the published version. */
export const publishModel: Handler<Calls['publish']> = async (ctx, { id, seen, confirm }) => {
  const { product_id: productId } = await modelById(ctx, id);
  const product = await productToChange(ctx, productId);
  const draft = await draftSeen(ctx, productId, seen, id);
  const before = await modelIn(ctx, productId, 'published');
  const [old, next] = [before ? modelOf(before) : emptyModel, draft ? modelOf(draft) : emptyModel];
  if (sizeOf(next) === 0) throw new Fault('MODEL_EMPTY');
  const breaking = modelChanges(old, next).filter((one) => one.breaking);
  if (breaking.length > 0 && confirm !== product.code) throw new Fault('MODEL_BREAKING');
  const by = { actorId: ctx.actor.userId };
  if (before) await move(ctx.db, stateful, 'supersede', [before.id], by);
  const moved = await move(ctx.db, stateful, 'publish', [id], {
    ...by,
    set: { published_at: ctx.now() },
    detail: { breaking: breaking.map(({ list, at, what }) => `${list} ${at} ${what}`) },
  });
  if (moved.length === 0) throw fault('OVERTAKEN');
  // Wherever terminals of the product stand.
  await ctx.invalidate(ctx.db, THINGS, '1.');
  ctx.audit({ target: `thing model ${product.name}`, before: old, after: next });
  return versionOf(await modelById(ctx, id));
};
