import type { fileCalls } from '@mooring/contract/file/calls';
import { partSize } from '@mooring/contract/file/kinds';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import type { Files } from './files.ts';
import { checkKind } from './check-kind.ts';
import { fileById, partsOf, uploadedFile, uploadOf } from './file-queries.ts';

/** Which parts are here already. The same content of the same person goes on where it stopped, and is done at once where it was. */
export async function beginUpload(ctx: Ctx, files: Files, input: ParsedInputOf<typeof fileCalls.initMultipartUpload>) {
  checkKind(ctx.actor, input.fileType, input.fileName, input.size);
  const size = partSize(files.source);
  if (input.totalPartSize !== Math.ceil(input.size / size)) throw new Fault('PART_REFUSED');
  const fresh = { name: input.fileName, size: input.size, part_size: size, parts: input.totalPartSize, state: 'uploading', reason: null, touched_at: ctx.now() };
  return ctx.inTx(async (db) => {
    const before = await uploadOf(db, ctx.actor.userId, input.identifier, input.fileType);
    if (before?.state === 'done' && before.file_id !== null && before.size === input.size) {
      const file = await fileById(db, before.file_id);
      if (file) return { partList: [], partSize: size, uploadfileDTO: uploadedFile(file) };
    }
    const goesOn = before && ['uploading', 'assembling', 'failed'].includes(before.state) && before.size === input.size && before.part_size === size;
    if (before && !goesOn) await db.deleteFrom('file_upload').where('id', '=', before.id).execute();
    const id = goesOn
      ? before.id
      : (await db.insertInto('file_upload').values({ ...fresh, user_id: ctx.actor.userId, identifier: input.identifier, kind: input.fileType, dept_path: ctx.scope.path }).returning('id').executeTakeFirstOrThrow()).id;
    if (goesOn && before.state !== 'assembling') await db.updateTable('file_upload').set(fresh).where('id', '=', id).execute();
    const parts = await partsOf(db, id);
    return { partList: parts.map((part) => ({ partNumber: part.part_number })), partSize: size, uploadfileDTO: null };
  });
}
