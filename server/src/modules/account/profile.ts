import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';

const SIDE = 192;
const MOST_PIXELS = 20_000_000;

/** A picture drawn anew and small: nothing but its pixels stays. */
async function small(base64: string): Promise<string> {
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(Buffer.from(base64, 'base64'), { limitInputPixels: MOST_PIXELS, failOn: 'error', animated: false });
    const { format } = await image.metadata();
    if (format !== 'png' && format !== 'jpeg' && format !== 'webp') throw new Error('not a picture');
    const bytes = await image.rotate().resize(SIDE, SIDE, { fit: 'cover' }).webp({ quality: 80 }).toBuffer();
    return `data:image/webp;base64,${bytes.toString('base64')}`;
  } catch {
    throw new Fault('FILE_NOT_GENUINE', { fields: { image: 'fault.FILE_NOT_GENUINE' } });
  }
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
  setOwn(ctx, { picture: image === null ? null : await small(image) });
