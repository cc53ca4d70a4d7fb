import { finished } from 'node:stream/promises';
import { PartInfo } from '@mooring/contract/file/calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Wire } from '../../platform/module.ts';
import { spaceFault } from './check-kind.ts';
import { partsOf, type UploadRow, uploadOf } from './file-queries.ts';
import type { Files } from './files.ts';
import { measure, readMultipart } from './read-multipart.ts';

type Info = ReturnType<typeof PartInfo.parse>;

function checkPart(upload: UploadRow, info: Info): void {
  const last = upload.size - (upload.parts - 1) * upload.part_size;
  const wanted = info.partNumber === upload.parts ? last : upload.part_size;
  if (info.partNumber > upload.parts || info.totalPartSize !== upload.parts || info.size !== upload.size || info.curPartSize !== wanted) throw new Fault('PART_REFUSED');
}

/** One part. The same part again is harmless; the same number with other bytes is refused. */
export async function uploadPart(ctx: Ctx, files: Files, wire: Wire) {
  const { info, file } = await readMultipart(wire.request, PartInfo);
  try {
    const upload = await ctx.inTx((db) => uploadOf(db, ctx.actor.userId, info.identifier, info.fileType));
    if (!upload) throw fault('NOT_FOUND');
    if (upload.state !== 'uploading') throw new Fault('PART_REFUSED');
    checkPart(upload, info);
    const known = await ctx.inTx((db) => db.selectFrom('file_part').selectAll().where('upload_id', '=', upload.id).where('part_number', '=', info.partNumber).executeTakeFirst());
    if (known && known.md5 !== info.md5) throw new Fault('PART_REFUSED');
    if (known) file.file.resume();
    else {
      const measured = measure(file.file, info.curPartSize, () => new Fault('PART_REFUSED'));
      await files.staging.put(upload.id, info.partNumber, measured.bytes);
      if (measured.size() !== info.curPartSize || measured.md5() !== info.md5) throw new Fault('HASH_MISMATCH');
    }
    return await ctx.inTx(async (db) => {
      await sql`insert into file_part (upload_id, part_number, size, md5) values (${upload.id}, ${info.partNumber}, ${info.curPartSize}, ${info.md5}) on conflict do nothing`.execute(db);
      await db.updateTable('file_upload').set({ touched_at: ctx.now() }).where('id', '=', upload.id).execute();
      const parts = await partsOf(db, upload.id);
      return { uploadFlag: parts.length === upload.parts, uploadfileDTO: null };
    });
  } catch (error) {
    file.file.resume();
    await finished(file.file).catch(() => {});
    throw spaceFault(error);
  }
}
