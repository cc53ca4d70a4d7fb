import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { all, containsWords } from '../../platform/db/criteria.ts';
import { unhidden } from '../access/api.ts';

const PICKED = 50;

export interface PeopleWanted {
  readonly text: string;
  readonly ids?: readonly number[] | undefined;
  /** Only who may sign in. */
  readonly enabled?: boolean;
}

/** People of the scope whom the actor may see, for a picker: by a part of their name or account, at most 50, or all that are named. */
export async function findPeople(ctx: Ctx, { text, ids, enabled }: PeopleWanted) {
  const rows = await ctx.db
    .selectFrom('account_user as u')
    .innerJoin('org_dept as o', 'o.id', 'u.dept_id')
    .select(['u.id', 'u.name', 'u.account', 'o.name as dept_name'])
    .where(
      all(
        await unhidden(ctx),
        enabled ? sql<boolean>`u.state = '0'` : undefined,
        containsWords(['u.name', 'u.account'], text || undefined),
        ids && sql<boolean>`u.id = any(${[...ids]}::bigint[])`,
      ),
    )
    .orderBy('u.name')
    .limit(ids?.length || PICKED)
    .execute();
  return rows.map((row) => ({ id: row.id, name: row.name, account: row.account, deptName: row.dept_name }));
}
