import type { saleCalls } from '@mooring/contract/inventory/sale';
import { Fault } from '@mooring/contract/kit/fault';
import { Money } from '@mooring/contract/shared/patterns';
import { sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx } from '../../platform/context.ts';
import { move, recordCreated, type StatefulTable } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { bulkActs, deviceRows } from '../device/api.ts';
import { holdDevices } from './hold-devices.ts';
import { answerOf, judgeSns, type Problem } from './sn-list.ts';

export const at = (field: string, name: string, params?: Record<string, string>) =>
  new Fault(name, { fields: { [field]: `fault.${name}` }, ...(params ? { params } : {}) });

/** Who has the terminal now, as its custody says it. */
export const buyerOf = async (ctx: Ctx, { merchantId, buyer }: { merchantId: number | null; buyer: string }): Promise<string> => {
  if (merchantId === null) return buyer;
  const merchant = await ctx.db.selectFrom('merchant_merchant').select('name').where('id', '=', merchantId).executeTakeFirst();
  return merchant?.name ?? buyer;
};
export const generated = (ctx: Ctx) => `S${ctx.now().toISOString().slice(0, 10).replaceAll('-', '')}-${Math.trunc(Math.random() * 1e6)}`;

interface Terms {
  readonly merchantId: number | null;
  readonly buyer: string;
  readonly soldAt: string;
  readonly warrantyUntil: string | null;
}
/** To whom, by name: it is known still when its merchant is gone. Fault: BAD_INPUT. */
export async function namedBuyer(ctx: Ctx, { merchantId, buyer, soldAt, warrantyUntil }: Terms): Promise<string> {
  if (warrantyUntil !== null && warrantyUntil < soldAt) throw new Fault('BAD_INPUT', { fields: { warrantyUntil: 'invalid.warranty' } });
  const named = buyer || (await buyerOf(ctx, { merchantId, buyer: '' }));
  if (named === '') throw new Fault('BAD_INPUT', { fields: { buyer: 'sale.buyer.needed' } });
  return named;
}

/** Issued, with the merchant that bought it or with none, and on record. Fault: MERCHANT_ELSEWHERE. */
export async function handOver(
  ctx: Ctx,
  ids: readonly number[],
  { merchantId, buyer, number, remark }: { merchantId: number | null; buyer: string; number: string; remark: string },
): Promise<void> {
  const { db } = ctx;
  await move(db, deviceRows, 'issue', ids, { actorId: ctx.actor.userId });
  await bulkActs.assign(ctx, db, ids, { merchantId });
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from device where id = any(${ids}::bigint[]) and merchant_id is distinct from ${merchantId}::bigint`.execute(
    db,
  );
  if ((rows[0]?.n ?? 0) > 0) throw at('merchantId', 'MERCHANT_ELSEWHERE');
  const to = await buyerOf(ctx, { merchantId, buyer });
  await noteCustody(db, ids, { event: 'sold', to, document: number, remark, by: ctx.actor.userName, now: ctx.now() });
  for (const group of ['/device', '/inventory/device', '/inventory/custody']) await ctx.invalidate(db, group);
}

/** Past the policy: a former owner may have sold it, whose document is nobody's to know here. */
async function soldElsewhere(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await ctx.unscoped((db) =>
    sql<{ device_id: number; number: string; dept_path: string }>`
      select device_id, number, dept_path from inventory_sale where device_id = any(${ids}::bigint[]) and state = 'sold'`.execute(db),
  );
  return new Map(rows.map((row) => [row.device_id, row.dept_path.startsWith(ctx.scope.path) ? row.number : '—']));
}

const tidy = (sn: string) => sn.trim().toUpperCase();

/** One document for many terminals: each that can't be sold is named, and none is sold then. */
export const sellMany =
  (rows: () => StatefulTable<string, string>): Handler<typeof saleCalls.addMany> =>
  async (ctx, { items, price, number: asked, ...terms }) => {
    const { db } = ctx;
    const buyer = await namedBuyer(ctx, terms);
    const sns = items.map(({ sn }) => tidy(sn));
    const found = await sql<{ id: number }>`select id from device where sn = any(${sns}::text[]) and deleted_at is null`.execute(db);
    const ids = found.rows.map(({ id }) => id);
    // Held before they are judged: what is said of them stays so until they are sold.
    await holdDevices(db, ids);
    const sold = await soldElsewhere(ctx, ids);
    const judged = await judgeSns(
      ctx,
      sns.map((sn) => sn || '?'),
      ({ id, status }, document) =>
        document !== undefined ? 'transfer' : sold.has(id) ? 'sold' : status === '5' ? undefined : 'notStocked',
    );
    const priced = new Map(items.map((item) => [tidy(item.sn), item.price || price]));
    const unpriced = judged.good.filter(({ sn }) => (priced.get(sn) ?? '') !== '' && !Money.safeParse(priced.get(sn)).success);
    const problems: Problem[] = [
      ...judged.problems.map((one) => {
        const known = judged.known.get(one.sn);
        return one.reason === 'sold' && known !== undefined ? { ...one, document: sold.get(known) ?? one.document } : one;
      }),
      ...unpriced.map(({ sn }) => ({ sn, reason: 'price' as const, document: '' })),
    ];
    const number = asked || generated(ctx);
    if (problems.length > 0) return { ...answerOf(0, problems), number };
    const devices = judged.good.map(({ id }) => id);
    const prices = judged.good.map(({ sn }) => priced.get(sn) ?? '');
    const { rows: made } = await sql<{ id: number }>`
      insert into inventory_sale (device_id, sn, product_name, number, merchant_id, buyer, currency, price, sold_at, warranty_until, remark,
        created_by, created_at, dept_id, dept_path)
      select d.id, d.sn, coalesce(p.name, ''), ${number}, ${terms.merchantId}, ${buyer}, ${terms.currency}, x.price, ${terms.soldAt}::date,
        ${terms.warrantyUntil}::date, ${terms.remark}, ${ctx.actor.userName}, ${ctx.now()}, d.dept_id, d.dept_path
      from unnest(${devices}::bigint[], ${prices}::text[]) as x(id, price) join device d on d.id = x.id left join product_product p on p.id = d.product_id
      order by d.sn returning id`.execute(db);
    await recordCreated(
      db,
      rows(),
      made.map(({ id }) => id),
      ctx.actor.userId,
    );
    await handOver(ctx, devices, { ...terms, buyer, number });
    await ctx.invalidate(db, '/device/sales');
    ctx.audit({
      target: `sale of ${judged.good[0]?.sn}${devices.length > 1 ? ' …' : ''}`,
      after: { number, buyer, terminals: devices.length },
    });
    return { ...answerOf(devices.length, []), number };
  };
