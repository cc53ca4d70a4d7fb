import { buffer } from 'node:stream/consumers';
import { extensionOf } from '@mooring/contract/file/kinds';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { paramLimits } from '@mooring/contract/paramfile/limits';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { openArchive, type Packed } from './archive.ts';

const PARAM_FILE = '9';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly sha256: string;
  readonly files: readonly Packed[];
}

/** What a person uploaded themselves: an archive, or one file. */
export async function openUpload(ctx: Ctx, store: BlobStore, fileId: number): Promise<Upload> {
  const file = await ctx.inTx((db) => db.selectFrom('file_file').selectAll().where('id', '=', fileId).executeTakeFirst());
  if (!file || file.user_id !== ctx.actor.userId) throw fault('NOT_FOUND');
  if (file.kind !== PARAM_FILE) throw new Fault('FILE_WRONG_KIND', { fields: { fileId: 'fault.FILE_WRONG_KIND' } });
  const isArchive = extensionOf(file.name) === 'zip';
  const one = { path: file.name, size: file.size, encrypted: false };
  // One alone is read only where it may be taken.
  const bytes = isArchive || file.size <= paramLimits.fileBytes ? await buffer(await store.read(file.sha256)) : Buffer.alloc(0);
  const files = isArchive ? await openArchive(bytes) : [{ ...one, read: async () => bytes }];
  return { id: file.id, name: file.name, sha256: file.sha256, files };
}
