import { Fault, fault } from '@mooring/contract/kit/fault';
import type { orderCalls } from '@mooring/contract/order/calls';
import { overStates } from '@mooring/contract/order/state-machines';
import { type RawBuilder, sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { deviceRows, moveTo, swapIn } from '../device/api.ts';
import { holdDevices } from '../inventory/api.ts';
import { unusableOf } from '../product/api.ts';
import { type Orders, step } from './act.ts';
import type { OrderRow } from './order-row.ts';
import { sidesOf } from './sides.ts';

const SHOWN = 50;
const over = [...overStates];

type Partner = Pick<OrderRow, 'partner_id' | 'partner_path'>;
/** Lies in the partner's stock, which is its own and not that of organisations below it; is nobody's by sale, on no way, and in no order itself. */
const isFree = ({ partner_id, partner_path }: Partner): RawBuilder<boolean> => sql<boolean>`(d.status = '5' and d.deleted_at is null
  and d.dept_path = ${partner_path} and d.dept_id = ${partner_id}
  and not exists (select from inventory_transfer x where x.device_id = d.id and x.state = '1')
  and not exists (select from inventory_sale x where x.device_id = d.id and x.state = 'sold')
  and not exists (select from order_order x where x.device_id = d.id and x.state <> all(${over}::text[])))`;

export const replacements: Handler<typeof orderCalls.replacements> = async (ctx, { id, text }) => {
  const row = await ctx.db
    .selectFrom('order_order')
    .select(['dept_path', 'partner_id', 'partner_path', 'product_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (!sidesOf(ctx.scope.path, row).includes('service')) return [];
  // Of the same product first: that is what is missing in the shop.
  return ctx.db
    .selectFrom('inventory_stock as s')
    .innerJoin('device as d', 'd.id', 's.id')
    .leftJoin('product_product as p', 'p.id', 's.product_id')
    .select((eb) => ['d.id', 'd.sn', eb.fn.coalesce('p.name', sql<string>`''`).as('productName')])
    .where(all(isFree(row), containsWords(['s.sn'], text || undefined)))
    .orderBy(sql`s.product_id is distinct from ${row.product_id}`)
    .orderBy('s.sn')
    .limit(SHOWN)
    .execute();
};

/** The other terminal goes to whose the faulty one is, and stands where that stood. Faults: ORDER_REPLACEMENT, DEVICE_PRODUCT. */
async function bring(ctx: Ctx, db: Db, row: OrderRow, id: number): Promise<string> {
  const found = await sql<{ sn: string }>`select d.sn from device d where d.id = ${id} and ${isFree(row)}`.execute(db);
  const [free] = found.rows;
  if (!free) throw new Fault('ORDER_REPLACEMENT', { fields: { replacementId: 'fault.ORDER_REPLACEMENT' } });
  if ((await unusableOf(db, [id], row.dept_path)).size > 0)
    throw new Fault('DEVICE_PRODUCT', { fields: { replacementId: 'fault.DEVICE_PRODUCT' } });
  const own = await sql<{ status: string }>`
    select status from device where id = ${row.device_id} and deleted_at is null and starts_with(dept_path, ${row.dept_path})`.execute(db);
  const [old] = own.rows;
  // One that is disabled stays so; it was shut out for a reason.
  if (old) await swap(ctx, db, row, id, old.status === '4' ? 'disabled' : 'stock');
  else await issueTo(ctx, db, row, id);
  return free.sn;
}

/** It takes the place of the faulty one, with its sale; the faulty one comes into the partner's stock. */
async function swap(ctx: Ctx, db: Db, row: OrderRow, id: number, goes: 'stock' | 'disabled'): Promise<void> {
  // The sale of either side goes along; one of somebody else is nobody's to change here.
  const isTheirs = (which: 'old' | 'other' | 'sale', path: string) =>
    (which !== 'other' && path.startsWith(row.dept_path)) || (which !== 'old' && path === row.partner_path);
  const { number: document, device_id } = row;
  await swapIn(ctx, db, { id: device_id, otherId: id, isTheirs, goes, document, field: 'replacementId' });
  if (row.partner_id === row.dept_id || (await unusableOf(db, [device_id], row.partner_path)).size > 0) return;
  await moveTo(ctx, db, [device_id], { id: row.partner_id, path: row.partner_path });
  const act = { event: 'moved', from: row.dept_name, document } as const;
  await noteCustody(db, [device_id], { ...act, by: ctx.actor.userName, now: ctx.now() });
}

/** The faulty one is gone, or another's by now: whoever ordered gets one all the same. */
async function issueTo(ctx: Ctx, db: Db, row: OrderRow, id: number): Promise<void> {
  await moveTo(ctx, db, [id], { id: row.dept_id, path: row.dept_path });
  await move(db, deviceRows, 'issue', [id], { actorId: ctx.actor.userId });
  const act = { event: 'issued', from: row.partner_name, to: row.merchant_name || row.dept_name, document: row.number } as const;
  await noteCustody(db, [id], { ...act, by: ctx.actor.userName, now: ctx.now() });
}

export const replace =
  (orders: () => Orders): Handler<typeof orderCalls.replace> =>
  (ctx, { id, replacementId, workDone, backCarrier, backNumber }) =>
    step(
      ctx,
      orders(),
      id,
      { event: 'replace', side: 'service', say: 'orderReturning' },
      {
        text: workDone,
        // Terminals first, as a unit that moves takes them, or the two would wait for each other.
        hold: (db, { device_id }) => holdDevices(db, [device_id, replacementId]),
        set: async (db, row) => {
          const sn = await bring(ctx, db, row, replacementId);
          for (const path of [row.dept_path, row.partner_path])
            for (const group of ['/device', '/inventory/device', '/inventory/entry', '/inventory/custody'])
              await ctx.invalidate(db, group, path);
          return {
            replacement_id: replacementId,
            replacement_sn: sn,
            work_done: workDone,
            back_carrier: backCarrier,
            back_number: backNumber,
          };
        },
      },
    );
