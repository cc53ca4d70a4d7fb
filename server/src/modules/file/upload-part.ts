import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PartInfo } from '@mooring/contract/file/calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { partName } from '../../platform/files/staging.ts';
import type { Wire } from '../../platform/module.ts';
import { spaceFault } from './check-kind.ts';
import { countParts, partOf, seeUpload, type UploadRow, uploadOf } from './file-queries.ts';
import type { Files } from './files.ts';
import { measure, readMultipart } from './read-multipart.ts';

type Info = ReturnType<typeof PartInfo.parse>;

function checkPart(upload: UploadRow, info: Info): void {
  const last = upload.size - (upload.parts - 1) * upload.part_size;
  const wanted = info.partNumber === upload.parts ? last : upload.part_size;
  if (info.partNumber > upload.parts || info.totalPartSize !== upload.parts || info.size !== upload.size || info.curPartSize !== wanted)
    throw new Fault('PART_REFUSED');
}

/** One part. The same part again is harmless; the same number with other bytes is refused. */
export async function uploadPart(ctx: Ctx, files: Files, wire: Wire) {
  const { info, file } = await readMultipart(wire.request, PartInfo);
  const whose = [ctx.actor.userId, info.identifier, info.fileType] as const;
  try {
    const [upload, known] = await ctx.unscoped(async (db) => {
      const found = await seeUpload(db, ...whose);
      return [found, found && (await partOf(db, found.id, info.partNumber))];
    });
    if (!upload) throw fault('NOT_FOUND');
    if (upload.state !== 'uploading') throw new Fault('PART_REFUSED');
    checkPart(upload, info);
    if (known && known.md5 !== info.md5) throw new Fault('PART_REFUSED');
    if (known) file.file.resume();
    else await files.staging.put(upload.id, partName({ part_number: info.partNumber, md5: info.md5 }), checked(file.file, info));
    const parts = await ctx.unscoped(async (db) => {
      // A part whose row a crash lost is sent again, and harmless: it needn't wait for the disk.
      await sql`set local synchronous_commit = off`.execute(db);
      // It may have been cancelled or finished while the bytes came.
      const still = await uploadOf(db, ...whose);
      if (still?.id !== upload.id || still.state !== 'uploading') return undefined;
      await db
        .insertInto('file_part')
        .values({ upload_id: upload.id, part_number: info.partNumber, size: info.curPartSize, md5: info.md5 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      if ((await partOf(db, upload.id, info.partNumber))?.md5 !== info.md5) throw new Fault('PART_REFUSED');
      await db.updateTable('file_upload').set({ touched_at: ctx.now() }).where('id', '=', upload.id).execute();
      return countParts(db, upload.id);
    });
    if (parts === undefined) return await overtaken(ctx, files, upload.id);
    return { uploadFlag: parts === upload.parts, uploadfileDTO: null };
  } catch (error) {
    file.file.resume();
    await finished(file.file).catch(() => {});
    throw spaceFault(error);
  }
}

/** Bytes that end with an error unless they are what was said: a wrong part never stands where a right one is looked for. */
function checked(bytes: Readable, info: Info): Readable {
  const measured = measure(bytes, info.curPartSize, () => new Fault('PART_REFUSED'));
  return Readable.from(
    (async function* () {
      yield* measured.bytes as AsyncIterable<Buffer>;
      if (measured.size() !== info.curPartSize || measured.md5() !== info.md5) throw new Fault('HASH_MISMATCH');
    })(),
  );
}

async function overtaken(ctx: Ctx, files: Files, uploadId: number): Promise<never> {
  const isThere = await ctx.unscoped((db) => db.selectFrom('file_upload').select('id').where('id', '=', uploadId).executeTakeFirst());
  if (!isThere) await files.staging.clear(uploadId);
  throw new Fault('PART_REFUSED');
}
