import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Sale that is open on a terminal, whoever sold it. */
export async function openSale(db: Db, deviceId: number): Promise<{ readonly path: string } | undefined> {
  const { rows } = await sql<{ path: string }>`
    select dept_path as path from inventory_sale where device_id = ${deviceId} and state = 'sold'`.execute(db);
  return rows[0];
}

/** What was sold is another terminal now, under the same document, price and warranty. */
export const handOverSale = (db: Db, from: number, to: number) =>
  sql`
    update inventory_sale s set device_id = d.id, sn = d.sn, product_name = coalesce(p.name, '')
    from device d left join product_product p on p.id = d.product_id where d.id = ${to} and s.device_id = ${from} and s.state = 'sold'`.execute(
    db,
  );
