import { concurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Ctx } from '../../platform/context.ts';
import { redrawn, refusedAt } from '../../platform/files/pictures.ts';

const SIDE = 192;
const oneAtOnce = concurrencyLimit(1);

/** Small, and square. */
async function small(base64: string): Promise<string> {
  const bytes = await redrawn(Buffer.from(base64, 'base64'), 'own', (image) =>
    image.resize(SIDE, SIDE, { fit: 'cover' }).webp({ quality: 80 }),
  ).catch(refusedAt('image'));
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}

type Own = Partial<Record<'name' | 'country' | 'picture' | 'mobile' | 'language' | 'time_zone', string | null>>;

/** One's own row, whatever the scope of this platform is. */
export async function setOwn(ctx: Ctx, set: Own): Promise<null> {
  await ctx.unscoped((db) =>
    db
      .updateTable('account_user')
      .set(set as never)
      .where('id', '=', ctx.actor.userId)
      .execute(),
  );
  return null;
}

export const setPicture = async (ctx: Ctx, image: string | null): Promise<null> =>
  setOwn(ctx, { picture: image === null ? null : await oneAtOnce(ctx.actor.userId, () => small(image)) });
