import type { UploadedFile } from '@mooring/contract/file/calls';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { FileOwner } from '../../platform/module.ts';
import { addFile, type NewFile, uploadedFile } from './file-queries.ts';
import type { Files } from './files.ts';
import { readableFile } from './get-file.ts';
import { checkStorage } from './storage-quota.ts';

/** JAR and APK: what is carried from the catalogue to be signed, and back. */
const packages = ['3', '4'];

/** Stored bytes as an upload of one's own; the one that is there already, where there is one. Faults: STORAGE_QUOTA, UNAVAILABLE. */
export async function ownUpload(db: Db, ctx: Pick<Ctx, 'actor' | 'scope' | 'now'>, store: BlobStore, file: NewFile): Promise<UploadedFile> {
  const had = await db
    .selectFrom('file_file')
    .selectAll()
    .where('user_id', '=', ctx.actor.userId)
    .where('md5', '=', file.md5)
    .where('kind', '=', file.kind)
    .where('sha256', '=', file.sha256)
    .where('dept_path', '=', ctx.scope.path)
    .where('expires_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (had) return uploadedFile(had);
  await checkStorage(db, ctx.scope.path, file.size);
  return uploadedFile(await addFile(db, ctx, store, file));
}

/** Faults: NOT_FOUND, FILE_KIND_REFUSED, and those of `ownUpload`. */
export async function reuseFile(ctx: Ctx, { store }: Files, owners: readonly FileOwner[], id: number): Promise<UploadedFile> {
  const { kind, name, size, sha256, md5 } = await readableFile(ctx, owners, id);
  if (!packages.includes(kind)) throw new Fault('FILE_KIND_REFUSED');
  ctx.audit({ target: `file ${name}`, after: { sha256 } });
  return ownUpload(ctx.db, ctx, store, { kind, name, size, sha256, md5 });
}
