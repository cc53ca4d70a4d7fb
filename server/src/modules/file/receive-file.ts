import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileName } from '@mooring/contract/file/calls';
import { isGenuine } from '@mooring/contract/file/kinds';
import { Fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import { concurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Wire } from '../../platform/module.ts';
import { checkKind, spaceFault, tooLarge } from './check-kind.ts';
import { addFile, type FileRow } from './file-queries.ts';
import type { Files } from './files.ts';
import { measure, readMultipart } from './read-multipart.ts';
import { rememberDirect } from './remember-direct.ts';
import { dropUnnamed } from './sweep.ts';
import { onDisk, putFile } from './upload-direct.ts';
import { underQuota } from './upload-quota.ts';

/** Of one person at once. */
const fewAtOnce = concurrencyLimit(2);

/** A file of a kind in one call, as large as the kind may be: for programs, which have nothing to resume it with. Answers what was said beside it too. */
export const receiveFile = <T>(ctx: Ctx, files: Files, wire: Wire, of: { readonly kind: string; readonly info: z.ZodType<T> }) =>
  fewAtOnce(ctx.actor.userId, async (): Promise<{ info: T; row: FileRow }> => {
    const { info, file } = await readMultipart(wire.request, of.info);
    try {
      const name = FileName.safeParse(file.filename).data;
      if (name === undefined) throw new Fault('BAD_INPUT', { fields: { file: 'invalid.invalid_format' } });
      const kind = checkKind(ctx.actor, of.kind, name, 1);
      const announced = Math.min(Number(wire.request.headers['content-length'] ?? kind.maxBytes), kind.maxBytes);
      const received = (id: number) =>
        onDisk(join(files.incoming, String(id)), async (path) => {
          const measured = measure(file.file, kind.maxBytes, () => tooLarge(kind));
          await pipeline(measured.bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
          if (measured.size() === 0) throw new Fault('HASH_MISMATCH');
          if (!isGenuine(kind, name, measured.head())) throw new Fault('FILE_NOT_GENUINE', { fields: { file: 'fault.FILE_NOT_GENUINE' } });
          const stored = await putFile(files, path);
          return ctx
            .inTx((db) => addFile(db, ctx, files.store, { kind: of.kind, name, ...stored }))
            .catch(async (error: unknown) => {
              await dropUnnamed(ctx, stored.sha256);
              throw error;
            });
        });
      const brought = { kind: of.kind, name, size: announced };
      const row = await rememberDirect(ctx, brought, () => underQuota(ctx, announced, received));
      return { info, row };
    } catch (error) {
      file.file.resume();
      throw spaceFault(error);
    }
  });
