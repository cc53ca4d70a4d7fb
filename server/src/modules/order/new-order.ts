import { Fault } from '@mooring/contract/kit/fault';
import { overStates } from '@mooring/contract/order/state-machines';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';

interface Given {
  readonly deviceId: number;
  readonly contactName: string;
  readonly phone: string;
  readonly address: string;
}
const missing = () => new Fault('NOT_FOUND', { code: 404, fields: { deviceId: 'fault.NOT_FOUND' } });

/** One terminal is in one open order at most. Past the policy: a former owner's may be open still, whose number is nobody's to know here. */
async function checkFree(ctx: Ctx, deviceId: number): Promise<void> {
  const over = [...overStates];
  const { rows } = await ctx.unscoped((all) =>
    sql<{ number: string; dept_path: string }>`
      select number, dept_path from order_order where device_id = ${deviceId} and state <> all(${over}::text[])`.execute(all),
  );
  const [open] = rows;
  if (!open) return;
  const number = open.dept_path.startsWith(ctx.scope.path) ? open.number : '–';
  throw new Fault('ORDER_OPEN', { params: { number }, fields: { deviceId: 'fault.ORDER_OPEN' } });
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
export async function newOrder(ctx: Ctx, db: Db, { deviceId, ...given }: Given) {
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
  await checkFree(ctx, deviceId);
  const { merchant_id, shop_id } = device;
  const merchant = await db.selectFrom('merchant_merchant').selectAll().where('id', '=', merchant_id).executeTakeFirst();
  const shop = await db.selectFrom('merchant_shop').selectAll().where('id', '=', shop_id).executeTakeFirst();
  const place = shop ?? merchant;
  const { product, ...own } = device;
  const number = await sql<{ number: string }>`
    select order_next_number(${device.dept_id}, ${ctx.now().getUTCFullYear()}) as number`.execute(db);
  return {
    ...own,
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
