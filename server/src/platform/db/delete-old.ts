import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';

const BATCH = 10_000;
/** Deletes what is over, each batch in a transaction of its own, so that none holds many rows for long. The condition has an index. */
export async function deleteOld(ctx: Pick<Ctx, 'unscoped'>, table: string, isOver: RawBuilder<unknown>): Promise<void> {
  const batch = () =>
    ctx.unscoped((db) =>
      sql`delete from ${sql.table(table)} where id in (select id from ${sql.table(table)} where ${isOver} limit ${BATCH})`.execute(db),
    );
  while (((await batch()).numAffectedRows ?? 0n) === BigInt(BATCH)) {
    /* until none is left */
  }
}
