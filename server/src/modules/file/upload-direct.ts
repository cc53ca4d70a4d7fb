import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DirectInfo, FileName, type UploadedFile } from '@mooring/contract/file/calls';
import { isGenuine } from '@mooring/contract/file/kinds';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { fewOf } from '../../platform/few-of.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { Wire } from '../../platform/module.ts';
import { checkKind, spaceFault } from './check-kind.ts';
import { addFile, uploadedFile } from './file-queries.ts';
import { measure, readMultipart } from './read-multipart.ts';
import { redraw } from './store-picture.ts';

/** Larger files go in parts. */
const DIRECT_MOST = 16 * 1024 * 1024;

/** They are held whole until they are checked: so many of one person at once. */
const fewAtOnce = fewOf(4);

/** A small file in one call; `only` limits the kinds (pictures, firmware). */
export const uploadDirect = (ctx: Ctx, store: BlobStore, wire: Wire, only?: readonly string[]): Promise<UploadedFile> =>
  fewAtOnce(ctx.actor.userId, () => receive(ctx, store, wire, only));

async function receive(ctx: Ctx, store: BlobStore, wire: Wire, only?: readonly string[]): Promise<UploadedFile> {
  const { info, file } = await readMultipart(wire.request, DirectInfo);
  try {
    if (only && !only.includes(info.type)) throw new Fault('FILE_KIND_REFUSED');
    const name = FileName.safeParse(file.filename).data;
    if (name === undefined) throw new Fault('BAD_INPUT', { fields: { file: 'invalid.invalid_format' } });
    const kind = checkKind(ctx.actor, info.type, name, 1);
    const measured = measure(file.file, Math.min(kind.maxBytes, DIRECT_MOST), () => fault('TOO_LARGE'));
    const bytes = await buffer(measured.bytes);
    if (measured.size() === 0 || measured.md5() !== info.identifier) throw new Fault('HASH_MISMATCH');
    if (!isGenuine(kind, name, measured.head())) throw new Fault('FILE_NOT_GENUINE');
    const stored = await store.put(Readable.from([kind.isPicture ? await redraw(bytes) : bytes]));
    const row = await ctx.inTx((db) => addFile(db, ctx, store, { kind: info.type, name, ...stored }));
    ctx.audit({ target: row.name });
    return uploadedFile(row);
  } catch (error) {
    file.file.resume();
    throw spaceFault(error);
  }
}
