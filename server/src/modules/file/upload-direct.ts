import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DirectInfo, FileName, type UploadedFile } from '@mooring/contract/file/calls';
import { isGenuine } from '@mooring/contract/file/kinds';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { concurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Wire } from '../../platform/module.ts';
import { checkKind, spaceFault } from './check-kind.ts';
import { addFile, uploadedFile } from './file-queries.ts';
import type { Files } from './files.ts';
import { measure, readMultipart } from './read-multipart.ts';
import { rememberDirect } from './remember-direct.ts';
import { redraw } from './store-picture.ts';
import { dropUnnamed } from './sweep.ts';
import { underQuota } from './upload-quota.ts';

/** Larger files go in parts. */
export const DIRECT_MOST = 16 * 1024 * 1024;

/** Of one person at once. */
const fewAtOnce = concurrencyLimit(4);

/** A small file in one call; `only` limits the kinds (pictures, firmware). */
export const uploadDirect = (ctx: Ctx, files: Files, wire: Wire, only?: readonly string[]): Promise<UploadedFile> =>
  fewAtOnce(ctx.actor.userId, () => receive(ctx, files, wire, only));

async function receive(ctx: Ctx, files: Files, wire: Wire, only?: readonly string[]): Promise<UploadedFile> {
  const { info, file } = await readMultipart(wire.request, DirectInfo);
  try {
    if (only && !only.includes(info.type)) throw new Fault('FILE_KIND_REFUSED');
    const name = FileName.safeParse(file.filename).data;
    if (name === undefined) throw new Fault('BAD_INPUT', { fields: { file: 'invalid.invalid_format' } });
    const kind = checkKind(ctx.actor, info.type, name, 1);
    const announced = Math.min(Number(wire.request.headers['content-length'] ?? DIRECT_MOST), DIRECT_MOST);
    const received = (id: number) =>
      onDisk(join(files.incoming, String(id)), async (path) => {
        const measured = measure(file.file, Math.min(kind.maxBytes, DIRECT_MOST), () => fault('TOO_LARGE'));
        await pipeline(measured.bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        if (measured.size() === 0 || measured.md5() !== info.identifier) throw new Fault('HASH_MISMATCH');
        if (!isGenuine(kind, name, measured.head())) throw new Fault('FILE_NOT_GENUINE');
        const stored = kind.isPicture ? await files.store.put(Readable.from([await redraw(path)])) : await putFile(files, path);
        const add = () => ctx.inTx((db) => addFile(db, ctx, files.store, { kind: info.type, name, ...stored }));
        return add().catch(async (error: unknown) => {
          await dropUnnamed(ctx, stored.sha256);
          throw error;
        });
      });
    const brought = { kind: info.type, name, size: announced };
    const row = await rememberDirect(ctx, brought, () => underQuota(ctx, announced, received));
    ctx.audit({ target: row.name });
    return uploadedFile(row);
  } catch (error) {
    file.file.resume();
    throw spaceFault(error);
  }
}

/** It waits on the disk until it is checked, however slowly it comes. What a crash leaves goes with its row. */
export async function onDisk<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  try {
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

export async function putFile({ store }: Files, path: string) {
  const file = await open(path);
  try {
    return await store.put(file.createReadStream({ autoClose: false }));
  } finally {
    await file.close();
  }
}
