import { Readable } from 'node:stream';
import { isGenuine, kindOf } from '@mooring/contract/file/kinds';
import { Fault } from '@mooring/contract/kit/fault';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { Stored } from '../../platform/files/blob-store.ts';
import { partName } from '../../platform/files/staging.ts';
import type { Job } from '../../platform/module.ts';
import { spaceFault } from './check-kind.ts';
import { addFile, partsOf, type UploadRow } from './file-queries.ts';
import type { Files } from './files.ts';
import { ASSEMBLE } from './finish-upload.ts';
import { measure } from './read-multipart.ts';

const Payload = z.object({ uploadId: z.int() });

async function* bytesOf(files: Files, uploadId: number, parts: readonly string[]): AsyncGenerator<Buffer> {
  const read = (part: string | undefined) => {
    const bytes = part === undefined ? undefined : files.staging.read(uploadId, part);
    // Told when it is its turn, and not before.
    bytes?.catch(() => {});
    return bytes;
  };
  let next = read(parts[0]);
  for (let at = 0; next; at += 1) {
    const bytes = await next.catch((error: NodeJS.ErrnoException) => {
      // It won't come back by waiting.
      throw error.code === 'ENOENT' ? new Fault('HASH_MISMATCH') : error;
    });
    // Read while the one before is hashed and written.
    next = read(parts[at + 1]);
    yield* bytes as AsyncIterable<Buffer>;
  }
}

/** The stored whole, or why it isn't what was announced. Another error may pass: the job is tried again. */
async function store(files: Files, upload: UploadRow, parts: readonly string[]): Promise<Stored | string> {
  const kind = kindOf(upload.kind);
  const source = Readable.from(bytesOf(files, upload.id, parts));
  const measured = measure(source, upload.size, () => new Fault('HASH_MISMATCH'), false);
  try {
    const stored = await files.store.put(measured.bytes);
    if (stored.md5 !== upload.identifier || stored.size !== upload.size) return 'HASH_MISMATCH';
    return kind && isGenuine(kind, upload.name, measured.head()) ? stored : 'FILE_NOT_GENUINE';
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    const said = spaceFault(error);
    if (said instanceof Fault && said.fault === 'NO_SPACE') return said.fault;
    throw error;
  } finally {
    // Its part may be open still.
    source.destroy();
  }
}

/**
 * Puts the parts of an upload together and checks the whole against its digest. Running again after a crash stores the same
 * blob under the same name; the file row is written once, with the upload's end.
 */
export async function assemble(ctx: Ctx, files: Files, uploadId: number): Promise<void> {
  const upload = await ctx.unscoped((db) => db.selectFrom('file_upload').selectAll().where('id', '=', uploadId).executeTakeFirst());
  if (upload?.state !== 'assembling') return;
  const parts = await ctx.unscoped((db) => partsOf(db, uploadId));
  const result = await store(files, upload, parts.map(partName));
  await ctx.unscoped(async (db) => {
    const still = await db.selectFrom('file_upload').select('state').where('id', '=', uploadId).forUpdate().executeTakeFirst();
    if (still?.state !== 'assembling') return;
    const owner = { actor: ctx.actor, scope: { ...ctx.scope, path: upload.dept_path } };
    // Its parts wait: once there is room the same person finishes it without sending them again.
    if (result === 'NO_SPACE') {
      await db
        .updateTable('file_upload')
        .set({ state: 'uploading', reason: result, touched_at: ctx.now() })
        .where('id', '=', uploadId)
        .execute();
      return;
    }
    const file =
      typeof result === 'string' ? undefined : await addFile(db, owner, files.store, { kind: upload.kind, name: upload.name, ...result });
    const end =
      typeof result === 'string'
        ? { state: 'failed', reason: result, file_id: null }
        : { state: 'done', reason: null, file_id: file?.id ?? null };
    await db
      .updateTable('file_upload')
      .set({ ...end, touched_at: ctx.now() })
      .where('id', '=', uploadId)
      .execute();
    // A failed one begins anew: which of its parts was wrong can't be told.
    await db.deleteFrom('file_part').where('upload_id', '=', uploadId).execute();
    await ctx.touch(db, '/file', upload.dept_path);
  });
  if (result !== 'NO_SPACE') await files.staging.clear(uploadId);
}

export const assembleJob = (files: Files): Job<z.output<typeof Payload>> => ({
  name: ASSEMBLE,
  payload: Payload,
  run: (ctx, { uploadId }) => assemble(ctx, files, uploadId),
});
