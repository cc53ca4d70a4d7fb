import { COUNT_CAP } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';

/**
 * Rows `d` of the scope that meet a condition, beside the policy. Planned for what is asked: one plan for all tags and scopes read the
 * whole platform's index for a tag of a few (seen: 500 ms for 10).
 */
const meeting = (ctx: Ctx, table: string, condition: RawBuilder<boolean>, alias = 'd') => {
  const { path } = ctx.scope;
  const of = sql.ref(`${alias}.dept_path`);
  return sql`from ${sql.table(table)} ${sql.ref(alias)} where ${of} >= ${path} and ${of} < ${`${path}~`} and ${condition}`;
};
const idsOf = (ctx: Ctx, asked: RawBuilder<unknown>, alias = 'd'): Promise<number[]> =>
  ctx.inBulk(async (db) => (await sql<{ id: number }>`select ${sql.ref(`${alias}.id`)} ${asked}`.execute(db)).rows.map((row) => row.id));

/**
 * A condition on rows `d` whose operator isn't leakproof (`ilike`, trigram, jsonb …) and so can't use its index through a policy
 * (measured: 3 ms against 255 ms): the ids that meet it, looked up beside the policy. The range of the scope is added here; the rows are
 * read again through the policy. Where more meet it than a list counts to, it stands as it is: a page of so many is found soon.
 */
export async function candidates(ctx: Ctx, table: string, condition: RawBuilder<boolean>, alias = 'd'): Promise<RawBuilder<boolean>> {
  const ids = await idsOf(ctx, sql`${meeting(ctx, table, condition, alias)} limit ${COUNT_CAP + 1}`, alias);
  return ids.length > COUNT_CAP ? condition : sql<boolean>`${sql.ref(`${alias}.id`)} = any(${ids}::bigint[])`;
}

/** How a condition that can't use its index through a policy is asked. */
export type LookUp = typeof candidates;
export const asItStands: LookUp = async (_ctx, _table, condition) => condition;

/** The next ids of rows `d` in the scope that meet a condition; beside the policy for the same reason. */
export const nextCandidates = (
  ctx: Ctx,
  table: string,
  condition: RawBuilder<boolean>,
  after: number,
  most: number,
): Promise<readonly number[]> => idsOf(ctx, sql`${meeting(ctx, table, condition)} and d.id > ${after} order by d.id limit ${most}`);

/** How many rows `d` in the scope meet a condition, up to a number; beside the policy for the same reason. */
export const countCandidates = (ctx: Ctx, table: string, condition: RawBuilder<boolean>, most: number): Promise<number> =>
  ctx.inBulk(async (db) => {
    const found = await sql<{
      n: number;
    }>`select count(*)::int as n from (select 1 ${meeting(ctx, table, condition)} limit ${most}) c`.execute(db);
    return found.rows[0]?.n ?? 0;
  });
