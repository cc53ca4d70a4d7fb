import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { paramBatchCalls } from '@mooring/contract/paramfile/calls';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { builtUnderQuota, DROP_BLOB, spaceFault } from '../file/api.ts';
import { bytesInUse, dropBytes } from './bytes.ts';
import { type Matched, matchFiles } from './match-files.ts';
import { type Upload, withUpload } from './upload.ts';

const AT_ONCE = 8;
const NAMED = 200;
/** First digits of a file's SHA-256: what terminals report of what they have. */
export const PARAM_DIGEST = 16;

/** What an upload holds, and whose; nothing is kept. */
export const checkUpload = (ctx: Ctx, store: BlobStore, fileId: number) =>
  withUpload(ctx, store, fileId, async ({ files }) => {
    const { matched, problems } = await ctx.inTx((db) => matchFiles(db, files));
    return { files: files.length, matched: matched.length, wrong: problems.length, problems: problems.slice(0, NAMED) };
  });

interface Stored extends Matched {
  readonly sha256: string;
}

/** Does it for each, a few at a time: a disk that syncs each file waits most of the time. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const line = async () => {
    for (const one of left) await work(one);
  };
  // All lines have ended before anything is cleared away.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, line));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

async function storeFiles(store: BlobStore, matched: readonly Matched[], stored: Stored[]): Promise<void> {
  await each(matched, async (one) => {
    const { sha256, size } = await store.put(Readable.from([await one.file.read()]));
    // Named first: of what turns out wrong the bytes go as well.
    stored.push({ ...one, sha256 });
    if (size !== one.file.size) throw new Fault('PARAM_ZIP_BROKEN');
  });
  stored.sort((a, b) => (a.sn < b.sn ? -1 : 1));
}

/** The rows of an upload, once its bytes are there for certain: nobody drops any while they are named. */
async function addRows(
  ctx: Ctx,
  db: Db,
  store: BlobStore,
  of: { name: string; remark: string; upload: Upload; stored: readonly Stored[] },
) {
  const { name, remark, upload, stored } = of;
  await bytesInUse(db, 'naming');
  await each(stored, async (one) => {
    if ((await store.size(one.sha256)) === undefined) await store.put(Readable.from([await one.file.read()]));
  });
  const version = createHash('sha256').update(JSON.stringify(stored.map((one) => [one.sn, one.sha256])));
  const { id } = await db
    .insertInto('paramfile_set')
    .values({
      name,
      remark,
      files: stored.length,
      size: stored.reduce((sum, one) => sum + one.file.size, 0),
      version: version.digest('hex').slice(0, PARAM_DIGEST),
      file_name: upload.name,
      dept_id: ctx.scope.deptId,
      dept_path: ctx.scope.path,
      created_by: ctx.actor.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = stored.map((one) => ({
    device_id: one.deviceId,
    sn: one.sn,
    file_name: one.fileName,
    size: one.file.size,
    sha256: one.sha256,
    dept_path: one.deptPath,
  }));
  await sql`
    insert into paramfile_file (set_id, device_id, sn, file_name, size, sha256, dept_path)
    select ${id}, device_id, sn, file_name, size, sha256, dept_path
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f(device_id bigint, sn text, file_name text, size bigint, sha256 text, dept_path text)`.execute(
    db,
  );
  // It may hold secrets, and has done its work.
  await db.deleteFrom('file_file').where('id', '=', upload.id).execute();
  await ctx.enqueue(db, DROP_BLOB, { sha256: upload.sha256 });
  await ctx.invalidate(db, '/paramfile');
  return id;
}

interface Kept {
  readonly name: string;
  readonly remark: string;
  readonly upload: Upload;
  readonly matched: readonly Matched[];
  readonly leftOut: number;
}
async function keepAll(ctx: Ctx, store: BlobStore, { matched, leftOut, ...of }: Kept): Promise<number> {
  const stored: Stored[] = [];
  try {
    await storeFiles(store, matched, stored);
    const id = await ctx.inTx((db) => addRows(ctx, db, store, { ...of, stored }));
    ctx.audit({ target: of.name, after: { files: stored.length, leftOut } });
    return id;
  } catch (error) {
    const digests = stored.map((one) => one.sha256);
    await ctx.inTx((db) => dropBytes(ctx, db, digests));
    throw spaceFault(error);
  }
}

/** Keeps the files of an upload: all that are meant, or none. */
export const addSet = (ctx: Ctx, store: BlobStore, input: ParsedInputOf<typeof paramBatchCalls.add>): Promise<number> =>
  withUpload(ctx, store, input.fileId, async (upload) => {
    const { matched, problems } = await ctx.inTx((db) => matchFiles(db, upload.files));
    if (matched.length === 0) throw new Fault('PARAM_FILES_NONE', { fields: { fileId: 'fault.PARAM_FILES_NONE' } });
    if (problems.length > 0 && !input.partly) throw new Fault('PARAM_FILES_WRONG', { params: { count: problems.length } });
    const unpacked = matched.reduce((sum, { file }) => sum + file.size, 0);
    return builtUnderQuota(ctx, unpacked, () => keepAll(ctx, store, { ...input, upload, matched, leftOut: problems.length }));
  });
