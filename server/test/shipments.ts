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

/** An asset register, a reading of it, and a conflict that it found. */
export const makeSyncRows = (
  test: TestApp,
  { id: dept_id, path: dept_path }: DeptAt,
  name: string,
): Promise<{ syncSource: number; syncRun: number; syncConflict: number }> =>
  test.context.unscoped(async (db) => {
    const { id: syncSource } = await db
      .insertInto('inventory_sync_source')
      .values({ name, url: 'https://assets.example.com/feed', dept_id, dept_path })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: syncRun } = await db
      .insertInto('inventory_sync_run')
      .values({ source_id: syncSource, state: 'done', by_name: name, dept_path })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: syncConflict } = await db
      .insertInto('inventory_sync_conflict')
      .values({ source_id: syncSource, sn: `${name}8`, why: ['ownerUnknown'], their_owner: name, about: '', seen_run: syncRun, dept_path })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { syncSource, syncRun, syncConflict };
  });

/** An outside IoT platform, a message that waits for it, and a terminal that is registered there. */
export const makeIotRows = (
  test: TestApp,
  { id: dept_id, path: dept_path }: DeptAt,
  name: string,
): Promise<{ iotCustomer: number; iotMessage: number; iotRegistration: number }> =>
  test.context.unscoped(async (db) => {
    const platform = { kind: 'https', endpoint: 'https://iot.example.com/in', sign_in: 'token', secret_sealed: Buffer.from('x') };
    const { id: iotCustomer } = await db
      .insertInto('customer_iot')
      .values({ name, ...platform, dept_id, dept_path })
      .returning('id')
      .executeTakeFirstOrThrow();
    const of = { customer_id: iotCustomer, sn: `${name}7`, dept_path };
    const { id: iotMessage } = await db
      .insertInto('customer_message')
      .values({ ...of, product: 'A920', kind: 'event', data: '{}', seq: 1, at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id: iotRegistration } = await db
      .insertInto('customer_registration')
      .values({ ...of, thing_name: of.sn })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { iotCustomer, iotMessage, iotRegistration };
  });
