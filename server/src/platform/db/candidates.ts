import { COUNT_CAP } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';

/**
 * Ids that meet a condition whose operator isn't leakproof (`ilike`, trigram, jsonb …) and so can't use its index through a
 * policy (measured: 3 ms against 255 ms). The range of the scope is added here; the rows are read again through the policy.
 */
export async function candidates(ctx: Ctx, table: string, condition: RawBuilder<boolean>): Promise<number[]> {
  const { path } = ctx.scope;
  return ctx.unscoped(async (db) => {
    const found = await sql<{ id: number }>`
      select id from ${sql.table(table)}
      where dept_path >= ${path} and dept_path < ${`${path}~`} and ${condition} limit ${COUNT_CAP + 1}`.execute(db);
    return found.rows.map((row) => row.id);
  });
}
