import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { DROP_BLOB } from '../file/api.ts';

const DROP_MANY = 'paramfile:bytes';
const CHUNK = 1000;

/**
 * Until the transaction ends, bytes of parameter files are either named or looked at for being dropped: one lock for all, since an upload names
 * thousands at once.
 */
export const bytesInUse = (db: Db, by: 'naming' | 'dropping') =>
  by === 'naming'
    ? sql`select pg_advisory_xact_lock(hashtextextended('paramfile', 0))`.execute(db)
    : sql`select pg_advisory_xact_lock_shared(hashtextextended('paramfile', 0))`.execute(db);

/** Whether a terminal's file has these bytes. */
export async function keepsBytes(db: Db, sha256: string): Promise<boolean> {
  await bytesInUse(db, 'dropping');
  return (await db.selectFrom('paramfile_file').select('id').where('sha256', '=', sha256).limit(1).executeTakeFirst()) !== undefined;
}

/** Has bytes dropped in the background, but those that are still named. */
export async function dropBytes(ctx: Pick<Ctx, 'enqueue'>, db: Db, all: readonly string[]): Promise<void> {
  const sha256s = [...new Set(all)];
  for (let at = 0; at < sha256s.length; at += CHUNK) await ctx.enqueue(db, DROP_MANY, { sha256s: sha256s.slice(at, at + CHUNK) });
}

/** Running twice asks twice whether they are still named. */
export const dropBytesJob = job({
  name: DROP_MANY,
  payload: z.object({ sha256s: z.array(z.string()) }),
  run: (ctx, { sha256s }) =>
    ctx.unscoped(async (db) => {
      for (const sha256 of sha256s) await ctx.enqueue(db, DROP_BLOB, { sha256 });
    }),
});
