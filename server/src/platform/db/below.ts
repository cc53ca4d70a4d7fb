import type { Exact } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { valuesOf } from './criteria.ts';

/** Where the organisation stands that all is to be below; nowhere where it is none of theirs. */
export async function pathBelow(ctx: Ctx, below: number | undefined): Promise<string | undefined> {
  if (below === undefined) return ctx.scope.path;
  const dept = await ctx.db.selectFrom('org_dept').select('dept_path').where('id', '=', below).executeTakeFirst();
  return dept?.dept_path.startsWith(ctx.scope.path) ? dept.dept_path : undefined;
}
/** Rows of an organisation and of all below it, by an index of their paths. */
export const atOrBelow = (column: string, path: string | undefined): RawBuilder<boolean> =>
  path === undefined ? sql<boolean>`false` : sql<boolean>`(${sql.ref(column)} >= ${path} and ${sql.ref(column)} < ${`${path}~`})`;
/** Of any of these organisations, or of one below. */
export async function isBelow(ctx: Ctx, column: string, below: Exact<number>): Promise<RawBuilder<boolean>> {
  const found: RawBuilder<boolean>[] = [];
  for (const id of valuesOf(below) ?? []) found.push(atOrBelow(column, await pathBelow(ctx, id)));
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}
