import { COUNT_CAP } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';

/**
 * A condition on rows `d` whose operator isn't leakproof (`ilike`, trigram, jsonb …) and so can't use its index through a policy
 * (measured: 3 ms against 255 ms): the ids that meet it, looked up beside the policy. The range of the scope is added here; the rows are
 * read again through the policy. Where more meet it than a list counts to, it stands as it is: a page of so many is found soon.
 */
export async function candidates(ctx: Ctx, table: string, condition: RawBuilder<boolean>): Promise<RawBuilder<boolean>> {
  const { path } = ctx.scope;
  const ids = await ctx.unscoped(async (db) => {
    const found = await sql<{ id: number }>`
      select d.id from ${sql.table(table)} d
      where d.dept_path >= ${path} and d.dept_path < ${`${path}~`} and ${condition} limit ${COUNT_CAP + 1}`.execute(db);
    return found.rows.map((row) => row.id);
  });
  return ids.length > COUNT_CAP ? condition : sql<boolean>`d.id = any(${ids}::bigint[])`;
}

/** How a condition that can't use its index through a policy is asked. */
export type LookUp = typeof candidates;
export const asItStands: LookUp = async (_ctx, _table, condition) => condition;

/** The next ids of rows `d` in the scope that meet a condition; beside the policy for the same reason. */
export async function nextCandidates(
  ctx: Ctx,
  table: string,
  condition: RawBuilder<boolean>,
  after: number,
  most: number,
): Promise<readonly number[]> {
  const { path } = ctx.scope;
  return ctx.unscoped(async (db) => {
    const found = await sql<{ id: number }>`
      select d.id from ${sql.table(table)} d
      where d.dept_path >= ${path} and d.dept_path < ${`${path}~`} and ${condition} and d.id > ${after} order by d.id limit ${most}`.execute(
      db,
    );
    return found.rows.map((row) => row.id);
  });
}

/** How many rows `d` in the scope meet a condition, up to a number; beside the policy for the same reason. */
export async function countCandidates(ctx: Ctx, table: string, condition: RawBuilder<boolean>, most: number): Promise<number> {
  const { path } = ctx.scope;
  return ctx.unscoped(async (db) => {
    const found = await sql<{ n: number }>`
      select count(*)::int as n from (
        select 1 from ${sql.table(table)} d where d.dept_path >= ${path} and d.dept_path < ${`${path}~`} and ${condition} limit ${most}
      ) c`.execute(db);
    return found.rows[0]?.n ?? 0;
  });
}
