import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { isGenuine, kindOf } from '@mooring/contract/file/kinds';
import { Fault } from '@mooring/contract/kit/fault';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { Stored } from '../../platform/files/blob-store.ts';
import type { Part } from '../../platform/files/staging.ts';
import type { Job } from '../../platform/module.ts';
import { spaceFault } from './check-kind.ts';
import { addFile, partsOf, placeOf, type UploadRow, uploadName } from './file-queries.ts';
import type { Files } from './files.ts';
import { ASSEMBLE } from './finish-upload.ts';
import { dropUnnamed } from './sweep.ts';

/** So much tells what a file is. */
const HEAD = 512;
const Payload = z.object({ uploadId: z.int() });

async function* bytesOf(files: Files, uploadId: number, parts: readonly Part[]): AsyncGenerator<Buffer> {
  const read = (part: Part | undefined) => {
    const bytes = part && files.staging.read(uploadId, part);
    // Told when it is its turn, and not before.
    bytes?.catch(() => {});
    return bytes;
  };
  let next = read(parts[0]);
  for (let at = 0; next; at += 1) {
    const bytes = await next;
    // Read while the one before is hashed and written.
    next = read(parts[at + 1]);
    yield bytes;
  }
}

/** Parts that stand in one file already are looked through and named; others are put together. */
async function storeWhole(files: Files, upload: UploadRow, parts: readonly Part[]): Promise<Stored | undefined> {
  const whole = files.staging.whole?.(upload.id);
  if (whole && files.store.adopt) return files.store.adopt(whole, { md5: upload.identifier, size: upload.size });
  const source = Readable.from(bytesOf(files, upload.id, parts));
  try {
    return await files.store.put(source);
  } finally {
    // Its part may be open still.
    source.destroy();
  }
}

/** The stored whole, or why it isn't what was announced. Another error may pass: the job is tried again. */
async function store(ctx: Ctx, files: Files, upload: UploadRow, parts: readonly Part[]): Promise<Stored | string> {
  const kind = kindOf(upload.kind);
  const [first] = parts;
  try {
    const head = first ? (await files.staging.read(upload.id, first)).subarray(0, HEAD) : Buffer.alloc(0);
    const stored = await storeWhole(files, upload, parts);
    const isWhole = stored?.md5 === upload.identifier && stored.size === upload.size && stored.sha256 === (upload.sha256 ?? stored.sha256);
    if (stored && isWhole && kind && isGenuine(kind, upload.name, head)) return stored;
    if (stored) await dropUnnamed(ctx, stored.sha256);
    return isWhole ? 'FILE_NOT_GENUINE' : 'HASH_MISMATCH';
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    // It won't come back by waiting.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'HASH_MISMATCH';
    const said = spaceFault(error);
    if (said instanceof Fault && said.fault === 'NO_SPACE') return said.fault;
    throw error;
  }
}

/** Parts whose bytes are not what their rows say: a crash of the machine lost them. None where all are: then the announced digest was wrong. */
async function lostOf(files: Files, uploadId: number, parts: readonly Part[]): Promise<number[]> {
  const lost: number[] = [];
  for (const part of parts) {
    const bytes = await files.staging.read(uploadId, part).catch(() => undefined);
    if (!bytes || createHash('md5').update(bytes).digest('hex') !== part.md5) lost.push(part.number);
  }
  return lost;
}

/**
 * Puts the parts of an upload together and checks the whole against its digest. Running again after a crash stores the same
 * blob under the same name; the file row is written once, with the upload's end.
 */
export async function assemble(ctx: Ctx, files: Files, uploadId: number): Promise<void> {
  const upload = await ctx.unscoped((db) => db.selectFrom('file_upload').selectAll().where('id', '=', uploadId).executeTakeFirst());
  if (upload?.state !== 'assembling') return;
  const parts = (await ctx.unscoped((db) => partsOf(db, uploadId))).map((row) => placeOf(upload, row));
  const result = await store(ctx, files, upload, parts);
  const lost = result === 'HASH_MISMATCH' ? await lostOf(files, uploadId, parts) : [];
  // What is right of a part of them needn't be sent again.
  const keepsParts = lost.length > 0 && lost.length < parts.length;
  await ctx.unscoped(async (db) => {
    const still = await db.selectFrom('file_upload').select('state').where('id', '=', uploadId).forUpdate().executeTakeFirst();
    if (still?.state !== 'assembling') return;
    const owner = { actor: ctx.actor, scope: { ...ctx.scope, path: upload.dept_path }, now: () => ctx.now() };
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
    const rows = db.deleteFrom('file_part').where('upload_id', '=', uploadId);
    await (keepsParts ? rows.where('part_number', 'in', lost) : rows).execute();
    await ctx.invalidate(db, '/file', upload.dept_path);
  });
  files.ends.ring(uploadName(upload.user_id, upload.identifier, upload.kind));
  if (result !== 'NO_SPACE' && !keepsParts) await files.staging.clear(uploadId);
}

export const assembleJob = (files: Files): Job<z.output<typeof Payload>> => ({
  name: ASSEMBLE,
  payload: Payload,
  run: (ctx, { uploadId }) => assemble(ctx, files, uploadId),
});
