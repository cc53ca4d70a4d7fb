import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Stored } from '../../platform/files/blob-store.ts';
import { lockBlob } from '../../platform/files/lock-blob.ts';
import type { Job } from '../../platform/module.ts';
import type { Files } from './files.ts';
import { foldUsage } from './storage-quota.ts';
import { builtUnderQuota, type Quoted } from './upload-quota.ts';

/** An upload that is done or was cancelled is remembered; parts that nobody goes on with leave soon. */
const KEEP_DAYS = { done: 7, open: 1 };
const DAY_MS = 86_400_000;
export const DROP_BLOB = 'file:blob';
/** Whether another domain still needs a blob. */
export type Keeps = (db: Db, sha256: string) => Promise<boolean>;
const Blob = z.object({ sha256: z.string() });

/** Bytes that no row names any more. Whoever names the same bytes at this moment waits, and then sees that they are gone. */
async function dropBlob(ctx: Ctx, files: Files, keeps: Keeps, sha256: string): Promise<void> {
  await ctx.unscoped(async (db) => {
    await lockBlob(db, sha256);
    const named = await db.selectFrom('file_file').select('id').where('sha256', '=', sha256).limit(1).executeTakeFirst();
    if (!named && !(await keeps(db, sha256))) await files.store.delete(sha256);
  });
}
export const dropBlobJob = (files: Files, keeps: Keeps): Job<z.output<typeof Blob>> => ({
  name: DROP_BLOB,
  payload: Blob,
  run: (ctx, { sha256 }) => dropBlob(ctx, files, keeps, sha256),
});

/** Stored for a row that was refused: they go again, unless another names them. */
export const dropUnnamed = (ctx: Pick<Ctx, 'unscoped' | 'enqueue'>, sha256: string): Promise<void> =>
  ctx.unscoped((db) => ctx.enqueue(db, DROP_BLOB, { sha256 })).catch(() => {});

/** What the server made and stored counts to the quota of who asked for it; where there is no room, or no row comes to name it, it goes again. */
export async function keepBuilt<T>(
  ctx: Quoted & Pick<Ctx, 'enqueue'>,
  { sha256, size }: Pick<Stored, 'sha256' | 'size'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await builtUnderQuota(ctx, size, work);
  } catch (error) {
    await dropUnnamed(ctx, sha256);
    throw error;
  }
}

/** Files of one call whose server ended before they were stored. */
async function dropIncoming(ctx: Ctx, files: Files): Promise<void> {
  const before = new Date(ctx.now().getTime() - KEEP_DAYS.open * DAY_MS);
  // Each server clears what is its own. A row is there before its file, so they are asked for after it.
  const here = await readdir(files.incoming).catch(() => []);
  const rows = await ctx.unscoped(async (db) => {
    await db.deleteFrom('file_direct').where('begun_at', '<', before).execute();
    await db.deleteFrom('file_built').where('built_at', '<', before).execute();
    return db.selectFrom('file_direct').select('id').execute();
  });
  const known = new Set(rows.map((row) => String(row.id)));
  for (const name of here) if (!known.has(name)) await rm(join(files.incoming, name), { force: true });
}

/** Hourly: uploads that nobody went on with or that couldn't be put together for a day, files past their time. Running twice finds nothing more. */
export const sweepJob = (files: Files, keeps: Keeps): Job<object> => ({
  name: 'file:sweep',
  fixed: true,
  payload: z.object({}),
  every: '23 * * * *',
  async run(ctx) {
    const stale = await ctx.unscoped((db) =>
      sql<{
        id: number;
        way: string;
      }>`delete from file_upload where touched_at < ${ctx.now()}::timestamptz - make_interval(days => case when state in ('done', 'cancelled', 'refused') then ${KEEP_DAYS.done}::int else ${KEEP_DAYS.open}::int end) returning id, way`.execute(
        db,
      ),
    );
    for (const { id, way } of stale.rows) if (way === 'parts') await files.staging.clear(id);
    await ctx.unscoped(foldUsage);
    await dropIncoming(ctx, files);
    const gone = await ctx.unscoped((db) =>
      sql<{ sha256: string }>`delete from file_file where expires_at < ${ctx.now()} returning sha256`.execute(db),
    );
    await files.store.tidy?.(new Date(ctx.now().getTime() - DAY_MS));
    for (const sha256 of new Set(gone.rows.map((row) => row.sha256))) await dropBlob(ctx, files, keeps, sha256);
  },
});
