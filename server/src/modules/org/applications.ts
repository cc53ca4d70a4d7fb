import type { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, contains, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { deptOf, selectDepts } from './dept.queries.ts';

export const pageApplications: Handler<typeof deptCalls.applications> = (ctx, { criteria, page: wanted }) => {
  const { path } = ctx.scope;
  return page(
    ctx.db,
    selectDepts(ctx.db)
      .where(sql<boolean>`o.state in ('applied', 'refused') and o.dept_path > ${path} and o.dept_path < ${`${path}~`}`)
      .where(all(contains('o.name', criteria.text), exact('o.state', criteria.state))),
    { page: wanted, sorts: { createdAt: 'o.created_at', name: 'o.name' }, id: 'o.id', map: deptOf(ctx) },
  );
};

export const countApplications = async (db: Db, ctx: Ctx): Promise<number> => {
  const { path } = ctx.scope;
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from org_dept where state = 'applied' and dept_path > ${path} and dept_path < ${`${path}~`}`.execute(db);
  return rows[0]?.n ?? 0;
};
