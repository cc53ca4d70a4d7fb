import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { type FileRow, fileById } from './file-queries.ts';
import { DROP_BLOB } from './sweep.ts';

/** Removes an own file that nothing uses. */
export async function deleteFile(ctx: Ctx, id: number): Promise<null> {
  const file = await fileById(ctx.db, id);
  if (!file || file.user_id !== ctx.actor.userId) throw fault('NOT_FOUND');
  const used = await ctx.unscoped((db) =>
    db.selectFrom('rollout_package').select('id').where('file_id', '=', id).where('deleted_at', 'is', null).limit(1).executeTakeFirst(),
  );
  if (used) throw new Fault('FILE_IN_USE');
  return removeFile(ctx, file);
}

/** What the server kept for a row that is gone: it goes too, unless another row has it. */
export async function forgetFile(ctx: Ctx, id: number): Promise<void> {
  const gone = await unlessRefused(
    ctx.db,
    () => ctx.db.deleteFrom('file_file').where('id', '=', id).returning('sha256').executeTakeFirst(),
    ({ kind }) => (kind === 'referenced' ? new Fault('FILE_IN_USE') : undefined),
  ).catch((error: unknown) => {
    if (error instanceof Fault) return undefined;
    throw error;
  });
  if (gone) await ctx.enqueue(ctx.db, DROP_BLOB, { sha256: gone.sha256 });
}

/** Its row goes, and its bytes in the background. Fault: FILE_IN_USE. */
export async function removeFile(ctx: Ctx, { id, name, sha256 }: Pick<FileRow, 'id' | 'name' | 'sha256'>): Promise<null> {
  await unlessRefused(
    ctx.db,
    () => ctx.db.deleteFrom('file_file').where('id', '=', id).execute(),
    ({ kind }) => (kind === 'referenced' ? new Fault('FILE_IN_USE') : undefined),
  );
  await ctx.enqueue(ctx.db, DROP_BLOB, { sha256 });
  ctx.audit({ target: name });
  return null;
}
