import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../context.ts';

const BATCH = 10_000;
type Deleted = Promise<{ readonly numAffectedRows?: bigint | undefined }>;

/** Deletes again and again, each batch in a transaction of its own, so that none holds many rows for long. */
export async function inBatches(ctx: Pick<Ctx, 'unscoped'>, batch: (db: Db, rows: number) => Deleted): Promise<void> {
  while (((await ctx.unscoped((db) => batch(db, BATCH))).numAffectedRows ?? 0n) === BigInt(BATCH)) {
    /* until none is left */
  }
}

/** Deletes what is over. The condition has an index. */
export const deleteOld = (ctx: Pick<Ctx, 'unscoped'>, table: string, isOver: RawBuilder<unknown>): Promise<void> =>
  inBatches(ctx, (db, rows) =>
    sql`delete from ${sql.table(table)} where id in (select id from ${sql.table(table)} where ${isOver} limit ${rows})`.execute(db),
  );
