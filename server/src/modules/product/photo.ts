import { PICTURE } from '@mooring/contract/file/kinds';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';

/** A photo is one's own uploaded picture, or the one that the product has already. */
export async function checkPhoto(ctx: Ctx, photoId: number | null | undefined, before: number | null | undefined): Promise<void> {
  if (photoId === null || photoId === undefined || photoId === before) return;
  // Whose it is is asked beside the range: an upload is the person's, whichever organisation was chosen when it was made.
  const file = await ctx.unscoped((db) =>
    db.selectFrom('file_file').select(['kind', 'user_id', 'expires_at']).where('id', '=', photoId).executeTakeFirst(),
  );
  if (!file || file.user_id !== ctx.actor.userId || file.expires_at !== null) throw fault('NOT_FOUND');
  if (file.kind !== PICTURE) throw new Fault('FILE_KIND_REFUSED', { fields: { photoId: 'fault.FILE_KIND_REFUSED' } });
}
