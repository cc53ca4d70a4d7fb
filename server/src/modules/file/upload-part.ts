import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { PartInfo } from '@mooring/contract/file/calls';
import { partSize } from '@mooring/contract/file/kinds';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { concurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Part } from '../../platform/files/staging.ts';
import type { Wire } from '../../platform/module.ts';
import { spaceFault } from './check-kind.ts';
import { countParts, partOf, placeOf, seeUpload, type UploadRow } from './file-queries.ts';
import type { Files } from './files.ts';
import { readMultipart } from './read-multipart.ts';

type Info = ReturnType<typeof PartInfo.parse>;

function checkPart(upload: UploadRow, info: Info): void {
  const last = upload.size - (upload.parts - 1) * upload.part_size;
  const wanted = info.partNumber === upload.parts ? last : upload.part_size;
  if (info.partNumber > upload.parts || info.totalPartSize !== upload.parts || info.size !== upload.size || info.curPartSize !== wanted)
    throw new Fault('PART_REFUSED');
}

const TOUCH_SECONDS = 60;
/** Parts are held whole until they are checked: so many of one person, which are four pages that send three each. */
const fewAtOnce = concurrencyLimit(12);

/** One part. The same part again is harmless; the same number with other bytes is refused. */
export async function uploadPart(ctx: Ctx, files: Files, wire: Wire) {
  const { info, file } = await readMultipart(wire.request, PartInfo);
  try {
    return await fewAtOnce(ctx.actor.userId, () => receive(ctx, files, info, file.file));
  } catch (error) {
    file.file.resume();
    await finished(file.file).catch(() => {});
    throw spaceFault(error);
  }
}

async function receive(ctx: Ctx, files: Files, info: Info, source: Readable) {
  if (info.curPartSize > partSize(files.source)) throw new Fault('PART_REFUSED');
  const whose = [ctx.actor.userId, info.identifier, info.fileType] as const;
  // They come in while their upload is asked for, whose word comes first.
  const reading = checked(source, info);
  reading.catch(() => {});
  try {
    const upload = expected(await ctx.readOnly((db) => seeUpload(db, ...whose, info.partNumber)), info);
    const bytes = await reading;
    if (!(await ctx.unscoped((db) => take(ctx, db, files, upload, info, bytes)))) return await overtaken(ctx, files, upload.id);
    // Counted after the commit: of two that were the last at one moment, one sees both.
    const parts = await ctx.readOnly((db) => countParts(db, upload.id));
    return { uploadFlag: parts === upload.parts, uploadfileDTO: null };
  } finally {
    await reading.catch(() => {});
  }
}

/** The upload that such a part is for. */
function expected<U extends UploadRow & { readonly known: string | null }>(upload: U | undefined, info: Info): U {
  if (!upload) throw fault('NOT_FOUND');
  if (upload.state !== 'uploading') throw new Fault(upload.state === 'cancelled' ? 'UPLOAD_CANCELLED' : 'PART_REFUSED');
  checkPart(upload, info);
  if (upload.known !== null && upload.known !== info.md5) throw new Fault('PART_REFUSED');
  return upload;
}

/**
 * Notes a part and writes its bytes before that is committed: who sends the same number at the same moment waits, and whoever would cancel or
 * finish the upload. False where it was cancelled or finished meanwhile.
 */
async function take(ctx: Ctx, db: Db, files: Files, upload: UploadRow, info: Info, bytes: readonly Buffer[]): Promise<boolean> {
  // A part whose row a crash lost is sent again, and harmless: it needn't wait for the disk.
  const isStale = ctx.now().getTime() - upload.touched_at.getTime() > TOUCH_SECONDS * 1000;
  const [, , taken] = await Promise.all([
    isStale ? db.updateTable('file_upload').set({ touched_at: ctx.now() }).where('id', '=', upload.id).execute() : undefined,
    sql`select set_config('synchronous_commit', 'off', true) from file_upload where id = ${upload.id} for key share`.execute(db),
    sql<{ isOpen: boolean; isNew: boolean }>`
      with open as (select id from file_upload where id = ${upload.id} and state = 'uploading'), added as (
        insert into file_part (upload_id, part_number, size, md5)
        select id, ${info.partNumber}::int, ${info.curPartSize}::int, ${info.md5} from open on conflict do nothing returning md5
      )
      select exists (select from open) as "isOpen", exists (select from added) as "isNew"`.execute(db),
  ]);
  const found = taken.rows[0];
  if (!found?.isOpen) return false;
  const part = placeOf(upload, { part_number: info.partNumber, md5: info.md5, size: info.curPartSize });
  // Asked by a statement of its own: who waited for the other sender sees it now.
  if (!found.isNew && (await partOf(db, upload.id, info.partNumber))?.md5 !== info.md5) throw new Fault('PART_REFUSED');
  if (found.isNew || !(await isHere(files, upload.id, part, bytes))) await files.staging.put(upload.id, part, bytes);
  return true;
}

/** Whether a part's bytes stand there. Others of the same MD5 are refused; what a crash lost is written again. */
async function isHere(files: Files, upload: number, part: Part, bytes: readonly Buffer[]): Promise<boolean> {
  const here = await files.staging.read(upload, part).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (here?.equals(Buffer.concat(bytes))) return true;
  if (here && createHash('md5').update(here).digest('hex') === part.md5) throw new Fault('PART_REFUSED');
  return false;
}

/** The bytes of a part if they are what was said: a wrong one never stands where a right one is looked for. A part is small enough to be held. */
async function checked(source: Readable, info: Info): Promise<readonly Buffer[]> {
  const hash = createHash('md5');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > info.curPartSize) throw new Fault('PART_REFUSED');
    hash.update(chunk);
    chunks.push(chunk);
  }
  if (size !== info.curPartSize || hash.digest('hex') !== info.md5) throw new Fault('HASH_MISMATCH');
  return chunks;
}

async function overtaken(ctx: Ctx, files: Files, uploadId: number): Promise<never> {
  const found = await ctx.unscoped((db) => db.selectFrom('file_upload').select('state').where('id', '=', uploadId).executeTakeFirst());
  const isGone = !found || found.state === 'cancelled';
  if (isGone) await files.staging.clear(uploadId);
  throw new Fault(found?.state === 'cancelled' ? 'UPLOAD_CANCELLED' : 'PART_REFUSED');
}
