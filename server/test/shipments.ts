import type { DeptAt } from '../src/modules/org/api.ts';
import type { TestApp } from './test-app.ts';

/** A terminal in stock, a dispatch of it with its receipt, and a sale, all of one owner. */
export const makeShipments = (
  test: TestApp,
  { id: dept_id, path: dept_path }: DeptAt,
  productId: number,
  name: string,
): Promise<{ stock: number; dispatch: number; receipt: number; sale: number; stockCount: number }> =>
  test.context.unscoped(async (db) => {
    const own = { dept_id, dept_path };
    const device = { sn: `${name}7`, name, status: '5', product_id: productId, ...own };
    const { id: stock } = await db.insertInto('device').values(device).returning('id').executeTakeFirstOrThrow();
    const { id: dispatch } = await db
      .insertInto('inventory_dispatch')
      .values({ number: name, to_id: dept_id, to_name: name, ...own })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: receipt } = await db
      .insertInto('inventory_receipt')
      .values({ dispatch_id: dispatch, number: name, from_name: name, ...own })
      .returning('id')
      .executeTakeFirstOrThrow();
    const record = { dispatch_id: dispatch, device_id: stock, sn: device.sn, sent_at: new Date(), dept_path };
    await db.insertInto('inventory_transfer').values(record).execute();
    await db
      .insertInto('inventory_entry')
      .values({ device_id: stock, sn: device.sn, type: '6', ...own })
      .execute();
    await db
      .insertInto('device_custody')
      .values({ device_id: stock, event: 'stocked', document: name, ...own })
      .execute();
    await db.insertInto('inventory_signature').values({ receipt_id: receipt, signed_by: name, dept_path }).execute();
    const { id: sale } = await db
      .insertInto('inventory_sale')
      .values({ device_id: stock, sn: device.sn, number: name, sold_at: new Date(), ...own })
      .returning('id')
      .executeTakeFirstOrThrow();
    const counted = { product_name: name, by_name: name, ...own };
    const { id: stockCount } = await db.insertInto('inventory_count').values(counted).returning('id').executeTakeFirstOrThrow();
    await db.insertInto('inventory_count_line').values({ count_id: stockCount, sn: device.sn, result: 'found', dept_path }).execute();
    return { stock, dispatch, receipt, sale, stockCount };
  });
