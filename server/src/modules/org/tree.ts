import type { deptCalls } from '@mooring/contract/org/calls';
import type { DeptNode } from '@mooring/contract/org/schemas';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { partPattern } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { deptInScope } from './dept.queries.ts';

const LEVEL = 1000;
const MATCHES = 200;

type Node = z.input<typeof DeptNode>;
const nodes = (db: Db, ctx: Ctx, condition: RawBuilder<unknown>, order: RawBuilder<unknown>, most: number) =>
  sql<Node>`
    select o.id, o.name, o.kind, case when o.dept_path = ${ctx.scope.path} then null else o.parent_id end as "parentId", o.state,
      (select count(*) from org_dept c where c.parent_id = o.id and c.state not in ('applied', 'refused', 'closed'))::int as "childCount"
    from org_dept o where ${condition} order by ${order} limit ${most}`
    .execute(db)
    .then((found) => found.rows);

/** Past the policy with the scope's range said here: a trigram index can't be used through a policy. */
export const treeOf: Handler<typeof deptCalls.tree> = async (ctx, { parentId, text }) => {
  const { path } = ctx.scope;
  const within = sql`o.dept_path >= ${path} and o.dept_path < ${`${path}~`}`;
  const shown = sql`o.state not in ('applied', 'refused')`;
  if (text) {
    const matched = await ctx.unscoped((db) =>
      sql<{ id: number; dept_path: string }>`
        select o.id, o.dept_path from org_dept o where ${within} and ${shown} and o.name ilike ${partPattern(text)} order by o.dept_path limit ${MATCHES + 1}`
        .execute(db)
        .then((found) => found.rows),
    );
    const kept = matched.slice(0, MATCHES);
    const paths = kept.map((one) => one.dept_path);
    const found = await ctx.unscoped((db) =>
      nodes(
        db,
        ctx,
        sql`${within} and o.dept_path in (select distinct a from unnest(${paths}::text[]) m, unnest(path_and_above(m)) a)`,
        sql`o.dept_path`,
        MATCHES * 10,
      ),
    );
    return { nodes: found, matches: kept.map((one) => one.id), more: matched.length > MATCHES };
  }
  if (parentId === undefined || parentId === null)
    return { nodes: await ctx.unscoped((db) => nodes(db, ctx, sql`o.dept_path = ${path}`, sql`o.id`, 1)), matches: [], more: false };
  await deptInScope(ctx, ctx.db, parentId);
  const level = await ctx.unscoped((db) =>
    nodes(db, ctx, sql`o.parent_id = ${parentId} and ${shown} and o.state <> 'closed'`, sql`lower(o.name), o.id`, LEVEL + 1),
  );
  return { nodes: level.slice(0, LEVEL), matches: [], more: level.length > LEVEL };
};
