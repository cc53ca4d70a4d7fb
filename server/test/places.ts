import type { DeptAt } from '../src/modules/org/api.ts';
import type { TestApp } from './test-app.ts';

type Made = { executeTakeFirstOrThrow(): Promise<{ id: number }> };
const idOf = async (query: Made) => (await query.executeTakeFirstOrThrow()).id;

/** A record of work on a terminal of the owner. */
export const makeMaintenance = (test: TestApp, { id: dept_id, path: dept_path }: DeptAt, device_id: number, sn: string): Promise<number> =>
  test.context.unscoped((db) =>
    idOf(
      db.insertInto('merchant_maintenance').values({ device_id, sn, kind: 'repair', at: new Date(), dept_id, dept_path }).returning('id'),
    ),
  );

/** A merchant of the owner with a shop, both by this name. */
export const makePlaces = (
  test: TestApp,
  { id: dept_id, path: dept_path }: DeptAt,
  name: string,
): Promise<{ merchant: number; shop: number }> =>
  test.context.unscoped(async (db) => {
    const of = { number: name, name, dept_id, dept_path };
    const merchant = await idOf(
      db
        .insertInto('merchant_merchant')
        .values({ ...of, kind: 'retail' })
        .returning('id'),
    );
    const shop = await idOf(
      db
        .insertInto('merchant_shop')
        .values({ ...of, merchant_id: merchant })
        .returning('id'),
    );
    return { merchant, shop };
  });
