import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { orderCalls } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { mayDo, unhidden } from '../access/api.ts';
import type { OrderRow } from './order-row.ts';
import { sidesOf } from './sides.ts';

const SHOWN = 50;
type Seen = Awaited<ReturnType<typeof unhidden>>;

/** Who follows an order as its engineer has to be able to act on it. */
const memberOf = (path: string) => sql<boolean>`u.state = '0' and u.dept_path = ${path} and ${mayDo('order:order:handle')}`;

/** Who follows open orders of it, also where they may repair no longer: to find those orders, and to name somebody else. */
const followsAt = (path: string) =>
  sql<boolean>`exists (select from order_order o where o.engineer_id = u.id and o.partner_path = ${path} and o.state not in ('closed', 'cancelled'))`;

/** Where the engineers of an order are looked for, and who has it; `undefined` for whoever isn't on its side. */
async function placeOf(ctx: Ctx, id: number | undefined): Promise<{ path: string; named: number | null } | undefined> {
  if (id === undefined) return { path: ctx.scope.path, named: null };
  const row = await ctx.db
    .selectFrom('order_order')
    .select(['dept_path', 'partner_path', 'engineer_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return sidesOf(ctx.scope.path, row).includes('service') ? { path: row.partner_path, named: row.engineer_id } : undefined;
}

/** Members of the partner who may repair, for its own people alone. */
export const engineers: Handler<typeof orderCalls.engineers> = async (ctx, { id, text, ids }) => {
  const place = await placeOf(ctx, id);
  if (!place || !isAllowed(ctx.actor.permissions, orderCalls.accept.can)) return [];
  const offered =
    id === undefined ? sql<boolean>`((${memberOf(place.path)}) or ${followsAt(place.path)})` : sql<boolean>`(${memberOf(place.path)})`;
  return ctx.db
    .selectFrom('account_user as u')
    .select(['u.id', 'u.name', 'u.account'])
    .where(
      all(
        await unhidden(ctx),
        // Whoever has it has a name, also where they may repair no longer.
        ids ? sql<boolean>`(u.id = any(${ids}::bigint[]) and (u.id = ${place.named} or ${offered}))` : offered,
        containsWords(['u.name', 'u.account'], text || undefined),
      ),
    )
    .orderBy('u.name')
    .limit(SHOWN)
    .execute();
};

/** The columns that name an engineer: the one that there is, or a member of the partner who may repair and whom the actor sees. `seen` is asked before, on no connection that is held. */
export async function engineerOf(
  db: Db,
  { partner_path, engineer_id, engineer }: Pick<OrderRow, 'partner_path' | 'engineer_id' | 'engineer'>,
  id: number | null,
  seen: Seen,
): Promise<{ engineer_id: number | null; engineer: string }> {
  if (id === null) return { engineer_id: null, engineer: '' };
  if (id === engineer_id) return { engineer_id, engineer };
  const one = await db
    .selectFrom('account_user as u')
    .select('u.name')
    .where('u.id', '=', id)
    .where(all(seen, memberOf(partner_path)))
    .executeTakeFirst();
  if (!one) throw new Fault('NOT_FOUND', { code: 404, fields: { engineerId: 'fault.NOT_FOUND' } });
  return { engineer_id: id, engineer: one.name };
}
