import type { DeptAt } from '../src/modules/org/api.ts';
import type { TestApp } from './test-app.ts';

/** An order of the owner, who repairs it too, with a message. */
export const makeOrderRow = (test: TestApp, { id: dept_id, path: dept_path }: DeptAt, device_id: number, name: string): Promise<number> =>
  test.context.unscoped(async (db) => {
    const partner = { partner_id: dept_id, partner_name: name, partner_path: dept_path };
    const { id } = await db
      .insertInto('order_order')
      .values({ number: name, device_id, sn: name, fault: 'other', dept_id, dept_name: name, dept_path, ...partner })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('order_entry').values({ order_id: id, side: 'customer', text: name, by_name: name, dept_path }).execute();
    return id;
  });
