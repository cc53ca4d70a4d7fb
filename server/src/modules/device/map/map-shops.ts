import { FINEST } from '@mooring/contract/device/map/area';
import { MOST_SHOPS, MOST_TERMINALS_COUNTED, type mapCalls, type PlacedShop } from '@mooring/contract/device/map/map-calls';
import { type RawBuilder, sql } from 'kysely';
import type { Handler } from '../../../platform/module.ts';
import { inRanges, partsOf, rangesOf } from './squares.ts';

type Row = PlacedShop & { readonly capped: boolean };

/** Terminals assigned there, counted by their index and no further than is said. */
const counted = (column: 'shop_id' | 'merchant_id') => sql`
  select least(count(*), ${MOST_TERMINALS_COUNTED})::int as terminals, count(*) > ${MOST_TERMINALS_COUNTED} as capped
  from (select from device d where d.${sql.ref(column)} = f.id and d.deleted_at is null limit ${MOST_TERMINALS_COUNTED + 1}) d`;

/** Shops in view, and merchants where they say themselves that they are and none of their shops stands. More than can be told apart: none. */
export const mapShops: Handler<typeof mapCalls.shops> = async (ctx, { box }) => {
  const within = (name: 's' | 'm'): RawBuilder<boolean> => {
    const [lat, lon] = [sql.ref(`${name}.lat`), sql.ref(`${name}.lon`)];
    const parts = partsOf(box).map(
      ({ south, west, north, east }) => sql`(${lat} between ${south} and ${north} and ${lon} between ${west} and ${east})`,
    );
    return sql<boolean>`${inRanges(`${name}.cell`, rangesOf(box, FINEST))} and (${sql.join(parts, sql` or `)})`;
  };
  const { rows } = await sql<Row>`
    select f.*, c.terminals, c.capped from (
      (select 'shop' as kind, s.id, s.number, s.name, m.id as "merchantId", m.name as "merchantName", s.lat, s.lon
       from merchant_shop s join merchant_merchant m on m.id = s.merchant_id where ${within('s')} limit ${MOST_SHOPS + 1})
      union all
      (select 'merchant', m.id, m.number, m.name, m.id, m.name, m.lat, m.lon
       from merchant_merchant m where ${within('m')} and not exists (select from merchant_shop s where s.merchant_id = m.id and s.cell = m.cell)
       limit ${MOST_SHOPS + 1})
      limit ${MOST_SHOPS + 1}
    ) f cross join lateral (
      select * from (${counted('shop_id')}) s where f.kind = 'shop' union all select * from (${counted('merchant_id')}) m where f.kind = 'merchant'
    ) c order by f.name, f.id`.execute(ctx.db);
  return rows.length > MOST_SHOPS ? { shops: [], tooMany: true } : { shops: rows, tooMany: false };
};
