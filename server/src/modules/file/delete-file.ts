import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { fileById } from './file-queries.ts';

/** Removes an own file that nothing uses; its blob goes with the sweep. */
export async function deleteFile(ctx: Ctx, id: number): Promise<null> {
  const file = await fileById(ctx.db, id);
  if (!file || file.user_id !== ctx.actor.userId) throw fault('NOT_FOUND');
  const used = await ctx.unscoped((db) => db.selectFrom('firmware_package').select('id').where('file_id', '=', id).limit(1).executeTakeFirst());
  if (used) throw new Fault('FILE_IN_USE');
  await ctx.db.deleteFrom('file_file').where('id', '=', id).execute();
  ctx.audit({ target: file.name });
  return null;
}
