import type { fileCalls } from '@mooring/contract/file/calls';
import { partSize } from '@mooring/contract/file/kinds';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import { checkKind } from './check-kind.ts';
import { partsOf, type UploadRow, uploadedFile, uploadOf } from './file-queries.ts';
import type { Files } from './files.ts';
import { checkQuota, lockQuota } from './upload-quota.ts';

type Input = ParsedInputOf<typeof fileCalls.initMultipartUpload>;

/** A file of one's own that is here, by what a client may say of it. */
const ownFiles = (db: Db, ctx: Ctx, input: Input) =>
  db
    .selectFrom('file_file')
    .selectAll()
    .where('user_id', '=', ctx.actor.userId)
    .where('md5', '=', input.identifier)
    .where('kind', '=', input.fileType)
    .where('size', '=', input.size)
    .where('expires_at', 'is', null)
    .orderBy('id', 'desc');

/**
 * Which parts are here already. The same content of the same person goes on where it stopped, and is done at once where it was. MD5 tells what may be the
 * same, and SHA-256 what is.
 */
export async function beginUpload(ctx: Ctx, files: Files, input: Input) {
  checkKind(ctx.actor, input.fileType, input.fileName, input.size);
  const size = partSize(files.source);
  if (input.totalPartSize !== Math.ceil(input.size / size)) throw new Fault('PART_REFUSED');
  const before = await ctx.unscoped((db) => uploadOf(db, ctx.actor.userId, input.identifier, input.fileType));
  const own = await ctx.inTx((db) => ownFiles(db, ctx, input).execute());
  const [newest] = own;
  const known = newest?.sha256 ?? null;
  const file = own.find((one) => one.sha256 === input.sha256);
  if (file) {
    // Brought anew, so not left over for a day: its form is still open.
    const at = { created_at: ctx.now(), unused_since: null };
    const kept = await ctx.unscoped((db) =>
      db.updateTable('file_file').set(at).where('id', '=', file.id).returning('id').executeTakeFirst(),
    );
    if (kept) return { partList: [], partSize: size, known, uploadfileDTO: uploadedFile(file) };
  }
  const isOver = before === undefined || before.state === 'done' || before.state === 'cancelled';
  const isSame = !isOver && before.size === input.size && before.part_size === size;
  // What has ended is remembered; what is open and not this is given up.
  if (!isOver && !isSame) {
    await ctx.unscoped((db) => db.deleteFrom('file_upload').where('id', '=', before.id).execute());
    await files.staging.clear(before.id);
  }
  return { partList: await open(ctx, input, size), partSize: size, known, uploadfileDTO: null };
}

/** The upload that is open now, this one's or one that began at the same moment; what is being put together is left alone. */
async function open(ctx: Ctx, input: Input, size: number) {
  const fresh = {
    name: input.fileName,
    size: input.size,
    part_size: size,
    parts: input.totalPartSize,
    sha256: input.sha256 ?? null,
    state: 'uploading',
    reason: null,
    touched_at: ctx.now(),
    dept_path: ctx.scope.path,
  };
  const mine = { user_id: ctx.actor.userId, identifier: input.identifier, kind: input.fileType };
  return ctx.unscoped(async (db) => {
    await lockQuota(db, ctx);
    const added = await db
      .insertInto('file_upload')
      .values({ ...fresh, ...mine })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    if (added.length > 0) await checkQuota(db, ctx);
    const upload = (await uploadOf(db, mine.user_id, mine.identifier, mine.kind)) as UploadRow;
    if (upload.size !== input.size || upload.part_size !== size) throw new Fault('PART_REFUSED');
    if (upload.state === 'uploading' || upload.state === 'failed')
      await db.updateTable('file_upload').set(fresh).where('id', '=', upload.id).execute();
    return (await partsOf(db, upload.id)).map((part) => ({ partNumber: part.part_number }));
  });
}
