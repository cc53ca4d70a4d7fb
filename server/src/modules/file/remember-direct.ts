import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import { spaceFault } from './check-kind.ts';
import type { FileRow } from './file-queries.ts';

interface Brought {
  readonly kind: string;
  readonly name: string;
  /** As it was announced. */
  readonly size: number;
}

/** What comes in one call stands among the uploads when it has ended, stored or not and why. Where that can't be noted the file is there all the same. */
export async function rememberDirect(ctx: Ctx, { kind, name, size }: Brought, work: () => Promise<FileRow>): Promise<FileRow> {
  const begun = ctx.now();
  const note = (ended: { readonly state: string; readonly size: number; readonly reason?: string; readonly file_id?: number }) => {
    const at = { created_at: begun, touched_at: ctx.now(), dept_path: ctx.scope.path, user_id: ctx.actor.userId };
    const row = { kind, name, identifier: '', way: 'direct', parts: 1, part_size: Math.min(ended.size, 2 ** 31 - 1), ...at, ...ended };
    return ctx.unscoped((db: Db) => db.insertInto('file_upload').values(row).execute()).catch(() => undefined);
  };
  try {
    const file = await work();
    await note({ state: 'done', size: Number(file.size), file_id: file.id });
    return file;
  } catch (error) {
    const said = spaceFault(error);
    await note({ state: 'refused', size, ...(said instanceof Fault ? { reason: said.fault } : {}) });
    throw error;
  }
}
