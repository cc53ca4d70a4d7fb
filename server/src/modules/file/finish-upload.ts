import type { fileCalls } from '@mooring/contract/file/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { t } from '../../platform/texts/translate.ts';
import { fileById, partsOf, uploadedFile, uploadName, uploadOf } from './file-queries.ts';
import type { Files } from './files.ts';

export const ASSEMBLE = 'file:assemble';
type Which = ParsedInputOf<typeof fileCalls.transferCheck>;

/** All parts are up: they are put together in the background. Asked twice at once, it is done once. */
export function finishUpload(ctx: Ctx, input: ParsedInputOf<typeof fileCalls.transferUpload>) {
  return ctx.unscoped(async (db) => {
    const upload = await uploadOf(db, ctx.actor.userId, input.identifier, input.fileType);
    if (!upload) throw fault('NOT_FOUND');
    if (upload.state === 'done' || upload.state === 'assembling') return { state: upload.state as 'done' | 'assembling' };
    const parts = await partsOf(db, upload.id);
    if (upload.state !== 'uploading' || parts.length !== upload.parts) throw new Fault('PART_REFUSED');
    await db
      .updateTable('file_upload')
      .set({ state: 'assembling', reason: null, touched_at: ctx.now(), sha256: input.sha256 ?? upload.sha256 })
      .where('id', '=', upload.id)
      .execute();
    await ctx.enqueue(db, ASSEMBLE, { uploadId: upload.id }, { key: `${ASSEMBLE}:${upload.id}`, maxAttempts: 10 });
    return { state: 'assembling' as const };
  });
}

/** A question about an upload that is being put together is answered when it ends, or after this time. */
const ANSWER_MS = 700;

export async function checkUpload(ctx: Ctx, files: Files, input: Which) {
  const which = [ctx.actor.userId, input.identifier, input.fileType] as const;
  const look = () => ctx.unscoped((db) => uploadOf(db, ...which));
  const until = ctx.now().getTime() + ANSWER_MS;
  let upload: Awaited<ReturnType<typeof look>>;
  for (;;) {
    const left = until - ctx.now().getTime();
    // Listened for before the look: it may end between the two.
    const end = files.ends.heard(uploadName(...which), Math.max(left, 0));
    upload = await look();
    if (upload?.state !== 'assembling' || left <= 0) break;
    await end;
  }
  if (!upload) throw fault('NOT_FOUND');
  const file = upload.file_id === null ? undefined : await fileById(ctx.db, upload.file_id);
  return {
    state: upload.state as 'uploading' | 'assembling' | 'done' | 'failed' | 'cancelled',
    reason: upload.reason,
    message: upload.reason ? t(ctx.lang, `fault.${upload.reason}`) : null,
    uploadfileDTO: file ? uploadedFile(file) : null,
  };
}

/** It is remembered as given up, with how much had come; its parts are forgotten. */
export async function endCancelled(ctx: Pick<Ctx, 'now'>, db: Db, id: number): Promise<void> {
  await sql`
    update file_upload set state = 'cancelled', reason = null, touched_at = ${ctx.now()},
      (received, received_parts) = (select coalesce(sum(p.size), 0), count(*) from file_part p where p.upload_id = ${id})
    where id = ${id}`.execute(db);
  await db.deleteFrom('file_part').where('upload_id', '=', id).execute();
}

/** Gives an upload up; its parts go away. What is being assembled or done stays. */
export async function cancelUpload(ctx: Ctx, files: Files, input: Which): Promise<null> {
  const gone = await ctx.unscoped(async (db) => {
    const upload = await uploadOf(db, ctx.actor.userId, input.identifier, input.fileType);
    if (!upload) return undefined;
    const open = await sql`select from file_upload where id = ${upload.id} and state in ('uploading', 'failed') for update`.execute(db);
    if (open.rows.length === 0) return undefined;
    await endCancelled(ctx, db, upload.id);
    return upload.id;
  });
  if (gone !== undefined) await files.staging.clear(gone);
  return null;
}
