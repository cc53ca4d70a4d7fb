import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** What was sold is another terminal now, under the same document, price and warranty. */
export const handOverSale = (db: Db, from: number, to: number) =>
  sql`
    update inventory_sale s set device_id = d.id, sn = d.sn, product_name = coalesce(p.name, '')
    from device d left join product_product p on p.id = d.product_id where d.id = ${to} and s.device_id = ${from} and s.state = 'sold'`.execute(
    db,
  );
