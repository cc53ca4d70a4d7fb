import { Fault } from '@mooring/contract/kit/fault';
import { overStates } from '@mooring/contract/order/state-machines';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { endOrder } from './act.ts';
import type { OrderRow } from './order-row.ts';
import { partnerOf } from './partners.ts';
import { tellMoved } from './tell.ts';

interface Given {
  readonly deviceId: number;
  readonly partnerId: number;
  readonly contactName: string;
  readonly phone: string;
  readonly address: string;
}
const missing = () => new Fault('NOT_FOUND', { code: 404, fields: { deviceId: 'fault.NOT_FOUND' } });

/** One terminal is in one open order at most; one of which another terminal comes back isn't about it any more. */
export const openOrder = sql<boolean>`(o.state not in (${sql.join(overStates.map((state) => sql.lit(state)))}) and o.replacement_id is null)`;

/**
 * Past the policy: a former owner's may be open still. Who has the terminal now may order all the same: that one ends. Nobody else's number is known
 * here. It ends in a transaction of its own, with what is said of it: that the terminal isn't its owner's any more is so whatever becomes of the new
 * order, which the database doesn't take beside it. Fault: ORDER_OPEN.
 */
async function checkFree(ctx: Ctx, deviceId: number, owner: number): Promise<void> {
  await ctx.unscoped(async (db) => {
    const about = sql`select o.* from order_order o where o.device_id = ${deviceId} and ${openOrder}`;
    const { rows } = await sql<OrderRow>`${about}`.execute(db);
    const [found] = rows;
    if (!found) return;
    if (found.dept_id === owner) {
      const number = found.dept_path.startsWith(ctx.scope.path) ? found.number : '–';
      throw new Fault('ORDER_OPEN', { params: { number }, fields: { deviceId: 'fault.ORDER_OPEN' } });
    }
    const [open] = (await sql<OrderRow>`${about} for update`.execute(db)).rows;
    if (!open) return;
    await endOrder(ctx, db, open, '');
    const gone = { order_id: open.id, event: 'moved', side: 'customer', text: '', at: ctx.now(), dept_path: open.dept_path };
    await db.insertInto('order_entry').values(gone).execute();
    await tellMoved(ctx, db, open);
    for (const path of [open.dept_path, open.partner_path]) await ctx.invalidate(db, '/order', path);
  });
}

/** Until when its sale says that repairs are free, whoever sold it: past the policy, of which only the day is told. */
const warrantyOf = async (ctx: Ctx, deviceId: number): Promise<string | null> => {
  const { rows } = await ctx.unscoped((db) =>
    sql<{ until: string | null }>`
      select warranty_until::text as until from inventory_sale where device_id = ${deviceId} and state = 'sold'`.execute(db),
  );
  return rows[0]?.until ?? null;
};

/** What the terminal says of a new order: whose it is, where it stands, and who is asked there. It is held until the order stands. */
export async function newOrder(ctx: Ctx, db: Db, { deviceId, partnerId, ...given }: Given) {
  const device = await db
    .selectFrom('device as d')
    .innerJoin('org_dept as o', 'o.id', 'd.dept_id')
    .leftJoin('product_product as p', 'p.id', 'd.product_id')
    .select(['d.sn', 'd.product_id', 'd.merchant_id', 'd.shop_id', 'd.dept_id', 'd.dept_path', 'o.name as dept_name', 'p.name as product'])
    .where('d.id', '=', deviceId)
    .where('d.deleted_at', 'is', null)
    .forNoKeyUpdate('d')
    .executeTakeFirst();
  if (!device) throw missing();
  const partner = await partnerOf(ctx, partnerId, device.dept_path);
  await checkFree(ctx, deviceId, device.dept_id);
  const { merchant_id, shop_id } = device;
  const merchant = await db.selectFrom('merchant_merchant').selectAll().where('id', '=', merchant_id).executeTakeFirst();
  const shop = await db.selectFrom('merchant_shop').selectAll().where('id', '=', shop_id).executeTakeFirst();
  const place = shop ?? merchant;
  const { product, ...own } = device;
  const number = await sql<{ number: string }>`
    select order_next_number(${device.dept_id}, ${ctx.now().getUTCFullYear()}) as number`.execute(db);
  return {
    ...own,
    ...partner,
    number: number.rows[0]?.number ?? '',
    product_name: product ?? '',
    merchant_name: merchant?.name ?? '',
    shop_name: shop?.name ?? '',
    contact_name: given.contactName || merchant?.contact_name || '',
    phone: given.phone || shop?.phone || merchant?.phone || '',
    address: given.address || [place?.address, place?.city].filter(Boolean).join(', ').slice(0, 200),
    warranty_until: await warrantyOf(ctx, deviceId),
    created_by_id: ctx.actor.userId,
    created_by: ctx.actor.userName,
    created_at: ctx.now(),
  };
}
