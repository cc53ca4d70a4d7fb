import { buffer } from 'node:stream/consumers';
import { extensionOf } from '@mooring/contract/file/kinds';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { paramLimits } from '@mooring/contract/paramfile/limits';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { type Archive, openArchive } from '../../platform/work/read-zip.ts';

const PARAM_FILE = '9';

export interface Upload extends Archive {
  readonly id: number;
  readonly name: string;
  readonly sha256: string;
}

/** What a person uploaded themselves: an archive, or one file. */
export async function withUpload<T>(ctx: Ctx, store: BlobStore, fileId: number, work: (upload: Upload) => Promise<T>): Promise<T> {
  const file = await ctx.inTx((db) => db.selectFrom('file_file').selectAll().where('id', '=', fileId).executeTakeFirst());
  if (!file || file.user_id !== ctx.actor.userId) throw fault('NOT_FOUND');
  if (file.kind !== PARAM_FILE) throw new Fault('FILE_WRONG_KIND', { fields: { fileId: 'fault.FILE_WRONG_KIND' } });
  const bytes = () => store.read(file.sha256).then(buffer);
  const alone = { path: file.name, size: file.size, encrypted: false, read: bytes };
  const archive: Archive =
    extensionOf(file.name) === 'zip'
      ? await openArchive(await bytes(), paramLimits, (reason) => new Fault(`PARAM_ZIP_${reason}`))
      : { files: [alone], close() {} };
  try {
    return await work({ ...archive, id: file.id, name: file.name, sha256: file.sha256 });
  } finally {
    archive.close();
  }
}
