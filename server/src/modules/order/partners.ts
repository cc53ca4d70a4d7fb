import { Fault } from '@mooring/contract/kit/fault';
import type { orderCalls } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { partPattern } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { pathsAbove } from '../../platform/paths-above.ts';

const SHOWN = 50;
/** The organisation of a path, those above it, and organisations below it. */
export const near = (path: string) =>
  sql<boolean>`(o.dept_path = any(${pathsAbove(path)}::text[]) or (o.kind = 'organisation' and o.dept_path >= ${path} and o.dept_path < ${`${path}~`}))`;

/** Past the policy: who stands above is named by whoever stands below, and seen no further. */
export const partners: Handler<typeof orderCalls.partners> = async (ctx, { text, ids }) => {
  const wanted = ids ? sql`o.id = any(${ids}::bigint[])` : text === '' ? sql`true` : sql`o.name ilike ${partPattern(text)}`;
  const { rows } = await ctx.unscoped((db) =>
    sql<{ id: number; name: string }>`
      select o.id, o.name from org_dept o where ${near(ctx.scope.path)} and ${wanted} and is_dept_open(o.dept_path)
      order by o.dept_path > ${ctx.scope.path}, length(o.dept_path) desc, o.dept_path limit ${SHOWN}`.execute(db),
  );
  return rows;
};

export interface Partner {
  readonly partner_id: number;
  readonly partner_name: string;
  readonly partner_path: string;
}
/** Of whom the owner of a terminal may ask to repair it, whoever acts for the owner. Fault: ORDER_PARTNER. */
export async function partnerOf(ctx: Ctx, id: number, owner: string): Promise<Partner> {
  const { rows } = await ctx.unscoped((db) =>
    sql<Partner>`
      select o.id as partner_id, o.name as partner_name, o.dept_path as partner_path from org_dept o
      where o.id = ${id} and ${near(owner)} and is_dept_open(o.dept_path)`.execute(db),
  );
  const [found] = rows;
  if (!found) throw new Fault('ORDER_PARTNER', { fields: { partnerId: 'fault.ORDER_PARTNER' } });
  return found;
}
