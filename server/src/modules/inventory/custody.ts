import type { custodyCalls } from '@mooring/contract/inventory/stock';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';

export const ofDevice: Handler<typeof custodyCalls.ofDevice> = async (ctx, { deviceId, before, size }) => {
  const rows = await ctx.db
    .selectFrom('device_custody')
    .select(['id', 'event', 'entry_type', 'from_name', 'to_name', 'document', 'by_name', 'remark', 'at'])
    .where('device_id', '=', deviceId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(size + 1)
    .execute();
  const sale = await ctx.db
    .selectFrom('inventory_sale as s')
    .leftJoin('merchant_merchant as m', 'm.id', 's.merchant_id')
    .select([
      's.number',
      's.buyer',
      'm.name',
      sql<string>`s.sold_at::text`.as('sold'),
      sql<string | null>`s.warranty_until::text`.as('until'),
    ])
    .where('s.device_id', '=', deviceId)
    .where('s.state', '=', 'sold')
    .executeTakeFirst();
  const shown = rows.slice(0, size);
  return {
    content: shown.map((row) => ({
      id: row.id,
      event: row.event as 'entered',
      entryType: row.entry_type as '1' | null,
      from: row.from_name,
      to: row.to_name,
      document: row.document,
      by: row.by_name,
      remark: row.remark,
      at: row.at,
    })),
    next: rows.length > size ? (shown.at(-1)?.id ?? null) : null,
    warranty: sale ? { document: sale.number, buyer: sale.name ?? sale.buyer, soldAt: sale.sold, until: sale.until } : null,
  };
};
