import { Readable } from 'node:stream';
import { SETTINGS_DIGEST } from '@mooring/contract/device/settings';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isOver } from '@mooring/contract/shared/date-range';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { lockBlob } from '../../platform/files/lock-blob.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { builtUnderQuota, dropUnnamed, spaceFault } from '../file/api.ts';
import { archiveOf, pathIn } from './archive.ts';
import { type ContentFile, filesOf, tooLarge } from './content-files.ts';
import type { Part } from './parts.ts';

/** The row, if it is the actor's own to publish or to copy from below. */
export async function contentRow(db: Db, of: Part, id: number) {
  const row = await db.selectFrom(of.table).selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}
type Row = Awaited<ReturnType<typeof contentRow>>;

const sizeOf = (files: readonly ContentFile[]) => files.reduce((sum, { size }) => sum + size, 0);

interface Packed {
  readonly sha256: string;
  readonly size: number;
}
/** One archive of a row and its files; the same row makes the same bytes. */
async function packed(store: BlobStore, of: Part, row: Row, files: readonly ContentFile[]): Promise<Packed> {
  const byId = new Map(files.map((one) => [one.id, pathIn(one)]));
  const pathOf = (id: number) => {
    const path = byId.get(id);
    if (path === undefined) throw new Error(`file ${id} of ${of.part} ${row.id} isn't there`);
    return path;
  };
  const bytes = archiveOf({ kind: of.of.kind, name: row.name, values: of.document(row, pathOf) as never }, files, store);
  if (!bytes) throw tooLarge();
  try {
    return await store.put(Readable.from(bytes));
  } catch (error) {
    throw spaceFault(error);
  }
}

/** Packed, unless it is fixed already, and named; or nothing of it stays. */
async function publishRow(
  ctx: Ctx,
  store: BlobStore,
  of: Part,
  rows: Resource,
  { row, files }: { row: Row; files: readonly ContentFile[] },
) {
  const { sha256, size } =
    row.archive_sha256 === null ? await packed(store, of, row, files) : { sha256: row.archive_sha256, size: row.size };
  const fix = async (db: Db) => {
    await lockBlob(db, sha256);
    if ((await store.size(sha256)) === undefined) throw fault('UNAVAILABLE', { seconds: 60 });
    const now = await db.selectFrom(of.table).select('revision').where('id', '=', row.id).forUpdate().executeTakeFirst();
    if (now?.revision !== row.revision) throw fault('OVERTAKEN');
    const set = {
      archive_sha256: sha256,
      version: sha256.slice(0, SETTINGS_DIGEST),
      size,
      // Who published it first, and when: one that was withdrawn is fixed already.
      ...(row.archive_sha256 === null ? { published_at: ctx.now(), published_by: ctx.actor.userName } : {}),
    };
    const moved = await move(db, rows.rows, 'publish' as never, [row.id], { actorId: ctx.actor.userId, set });
    if (moved.length === 0) throw fault('OVERTAKEN');
    await ctx.invalidate(db, `/customizeDesktop/${of.part}`);
  };
  try {
    await ctx.inTx(fix);
  } catch (error) {
    // Packed before the row was judged, since packing takes long: what nothing has goes again.
    await dropUnnamed(ctx, sha256);
    throw error;
  }
}

/** What would never be shown; a version that is used again may have ended since. */
function refuseOver(row: Row, now: Date): void {
  if ('to_day' in row && row.to_day !== null && isOver(String(row.to_day), now))
    throw new Fault('BAD_INPUT', { fields: { toDay: 'invalid.dayPast' } });
}

/** Packs a row with its files and fixes it. One that was withdrawn is fixed already. */
export async function publishContent<R extends Resource>(
  ctx: Ctx,
  store: BlobStore,
  of: Part,
  rows: R,
  id: number,
): Promise<Awaited<ReturnType<R['read']>>> {
  const { row, files } = await ctx.inTx(async (db) => ({ row: await contentRow(db, of, id), files: await filesOf(db, of, id) }));
  if (!row.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  const empty = of.emptiness(row);
  if (empty) throw empty;
  refuseOver(row, ctx.now());
  if (row.archive_sha256 === null) await builtUnderQuota(ctx, sizeOf(files), () => publishRow(ctx, store, of, rows, { row, files }));
  else await publishRow(ctx, store, of, rows, { row, files });
  ctx.audit({ target: `${of.part} ${row.name}` });
  return (await ctx.withScope((own) => rows.read(own, id))) as Awaited<ReturnType<R['read']>>;
}
