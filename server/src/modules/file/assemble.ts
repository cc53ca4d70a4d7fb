import { Readable } from 'node:stream';
import { isGenuine, kindOf } from '@mooring/contract/file/kinds';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { Job } from '../../platform/module.ts';
import { addFile } from './file-queries.ts';
import type { Files } from './files.ts';
import { ASSEMBLE } from './finish-upload.ts';
import { measure } from './read-multipart.ts';

const Payload = z.object({ uploadId: z.int() });

async function* bytesOf(files: Files, uploadId: number, parts: number): AsyncGenerator<Buffer> {
  for (let part = 1; part <= parts; part++) yield* (await files.staging.read(uploadId, part)) as AsyncIterable<Buffer>;
}

/**
 * Puts the parts of an upload together and checks the whole against its digest. Running again after a crash stores the same
 * blob under the same name; the file row is written once, with the upload's end.
 */
export async function assemble(ctx: Ctx, files: Files, uploadId: number): Promise<void> {
  const upload = await ctx.inTx((db) => db.selectFrom('file_upload').selectAll().where('id', '=', uploadId).executeTakeFirst());
  if (upload?.state !== 'assembling') return;
  const kind = kindOf(upload.kind);
  const measured = measure(Readable.from(bytesOf(files, uploadId, upload.parts)), upload.size, () => new Error('longer than said'));
  const stored = await files.store.put(measured.bytes);
  const reason = stored.md5 !== upload.identifier || stored.size !== upload.size ? 'HASH_MISMATCH' : !kind || !isGenuine(kind, upload.name, measured.head()) ? 'FILE_NOT_GENUINE' : undefined;
  await ctx.inTx(async (db) => {
    const still = await db.selectFrom('file_upload').select('state').where('id', '=', uploadId).forUpdate().executeTakeFirst();
    if (still?.state !== 'assembling') return;
    const file = reason ? undefined : await addFile(db, ctx, { kind: upload.kind, name: upload.name, ...stored });
    await db.updateTable('file_upload').set({ state: reason ? 'failed' : 'done', reason: reason ?? null, file_id: file?.id ?? null, touched_at: ctx.now() }).where('id', '=', uploadId).execute();
    // A failed one begins anew: which of its parts was wrong can't be told.
    await db.deleteFrom('file_part').where('upload_id', '=', uploadId).execute();
    await ctx.touch(db, '/file');
  });
  await files.staging.clear(uploadId);
}

export const assembleJob = (files: Files): Job<z.output<typeof Payload>> => ({ name: ASSEMBLE, payload: Payload, run: (ctx, { uploadId }) => assemble(ctx, files, uploadId) });
