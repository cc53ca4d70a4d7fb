import { Sale, saleCalls } from '@mooring/contract/inventory/sale';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { bulkActs, deviceRows } from '../device/api.ts';
import { at, buyerOf, generated, handOver, namedBuyer, sellMany } from './sell.ts';
import { documentsOf } from './sn-list.ts';

/** In stock, on no way to anywhere, and held until it is sold. */
async function stockedDevice(ctx: Ctx, id: number) {
  const device = await ctx.db
    .selectFrom('device as d')
    .leftJoin('product_product as p', 'p.id', 'd.product_id')
    .select(['d.sn', 'd.status', 'd.dept_id', 'd.dept_path', 'p.name as product'])
    .where('d.id', '=', id)
    .where('d.deleted_at', 'is', null)
    .forNoKeyUpdate('d')
    .executeTakeFirst();
  if (!device) throw at('deviceId', 'NOT_FOUND');
  if (device.status !== '5') throw at('deviceId', 'NOT_IN_STOCK');
  const document = (await documentsOf(ctx, [id])).get(id);
  if (document !== undefined) throw at('deviceId', 'IN_TRANSFER', { document });
  // Past the policy: a former owner may have sold it, whose document is nobody's to know here.
  const open = await ctx.unscoped((db) =>
    db
      .selectFrom('inventory_sale')
      .select(['number', 'dept_path'])
      .where('device_id', '=', id)
      .where('state', '=', 'sold')
      .executeTakeFirst(),
  );
  if (open) throw at('deviceId', 'STILL_SOLD', { document: open.dept_path.startsWith(ctx.scope.path) ? open.number : '—' });
  return device;
}

interface Returned {
  readonly number: string;
  readonly merchant_id: number | null;
  readonly buyer: string;
}
/** Fault: SALE_ELSEWHERE. One in contact lies in no stock; it is off by the time that it is on the shelf. */
async function shelveAgain(ctx: Ctx, { id, status }: { id: number; status: string }, row: Returned): Promise<void> {
  const { db } = ctx;
  const stocked = await move(db, deviceRows, 'stockIn', [id], { actorId: ctx.actor.userId });
  if (stocked.length === 0 && status !== '5') throw new Fault('SALE_ELSEWHERE');
  await bulkActs.assign(ctx, db, [id], { merchantId: null });
  const from = await buyerOf(ctx, { merchantId: row.merchant_id, buyer: row.buyer });
  const act = { event: 'saleReturned', entryType: '9', from, document: row.number, by: ctx.actor.userName, now: ctx.now() } as const;
  await noteCustody(db, [id], act);
}

export const sales: Resource<typeof Sale> = resource(Sale, saleCalls, {
  table: 'inventory_sale',
  target: (row) => `sale of ${row.sn}`,
  joined: (query) =>
    query
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('merchant_merchant as m', 'm.id', 't.merchant_id')
      .select([
        'o.name as dept_name',
        'm.name as merchant_name',
        sql<string>`t.sold_at::text`.as('sold_at'),
        sql<string | null>`t.warranty_until::text`.as('warranty_until'),
      ]),
  acts: { takeBack: saleCalls.takeBack },
  refuses: { update: (row) => row.state === 'returned' && 'SALE_RETURNED' },
  columns: async (ctx, input, { before }) => {
    const merchantId = before ? before.merchant_id : input.merchantId;
    const buyer = await namedBuyer(ctx, { ...input, merchantId });
    if (before) return { buyer };
    const { sn, product, dept_id, dept_path } = await stockedDevice(ctx, input.deviceId);
    return {
      sn,
      buyer,
      product_name: product ?? '',
      dept_id,
      dept_path,
      created_by: ctx.actor.userName,
      created_at: ctx.now(),
      ...(input.number === '' ? { number: generated(ctx) } : {}),
    };
  },
  added: async (ctx, id, input) => {
    const { db } = ctx;
    const { number } = await db.selectFrom('inventory_sale').select('number').where('id', '=', id).executeTakeFirstOrThrow();
    await handOver(ctx, [input.deviceId], { ...input, number });
  },
  handlers: {
    addMany: sellMany(() => sales.rows),
    takeBack: async (ctx, { id }) => {
      const { db } = ctx;
      const sold = await db.selectFrom('inventory_sale').select(['device_id', 'dept_path']).where('id', '=', id).executeTakeFirst();
      if (!sold) throw fault('NOT_FOUND');
      // Held before its sale, and until it lies in stock.
      const device = await db
        .selectFrom('device')
        .select(['id', 'status', 'dept_path'])
        .where('id', '=', sold.device_id)
        .where('deleted_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst();
      const row = await db.selectFrom('inventory_sale').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
      const moved = await move(db, sales.rows, 'takeBack', [id], { actorId: ctx.actor.userId, set: { returned_at: ctx.now() } });
      if (moved.length === 0) throw fault('OVERTAKEN');
      // One that is gone, or another's by now, is let alone: its sale ends on record, so that its owner may sell it.
      if (device?.dept_path.startsWith(row.dept_path)) await shelveAgain(ctx, device, row);
      for (const group of ['/device', '/inventory/device', '/inventory/entry', '/inventory/custody']) await ctx.invalidate(db, group);
      ctx.audit({ target: `sale of ${row.sn}` });
      return sales.read(ctx, id);
    },
  },
});
