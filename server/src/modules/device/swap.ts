import type { deviceCalls } from '@mooring/contract/device/calls';
import type { ConfigValues } from '@mooring/contract/device/config-values';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { handOverSale } from '../../engines/custody/hand-over-sale.ts';
import { whyHeld } from '../../engines/custody/held.ts';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import { mayJoin } from '../../engines/rollout/join-tasks.ts';
import { SWAP_DEVICES } from '../../engines/rollout/swap-devices.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { outboxRows } from '../../platform/gateway/handle-replies.ts';
import type { Handler } from '../../platform/module.ts';
import { keepShares, usableAt } from '../product/api.ts';
import { bulkActs } from './bulk-acts.ts';
import { deviceRows } from './device-rows.ts';
import { putConfig } from './put-config.ts';

interface Swapped {
  readonly id: number;
  readonly sn: string;
  readonly name: string;
  readonly status: string;
  readonly product_id: number | null;
  readonly dept_id: number;
  readonly dept_path: string;
  readonly merchant_id: number | null;
  readonly shop_id: number | null;
  readonly merchant: string | null;
  readonly config: ConfigValues;
  readonly deleted_at: Date | null;
}
const at = (field: 'id' | 'otherId', name: string, params?: Record<string, string>) =>
  new Fault(name, { fields: { [field]: `fault.${name}` }, ...(params ? { params } : {}) });

/** Both, held until the transaction ends: the shares of their products first, as everywhere. */
async function hold(db: Db, ids: readonly number[]): Promise<Swapped[]> {
  const { rows: products } = await sql<{ id: number }>`
    select distinct product_id as id from device where id = any(${ids}::bigint[]) and product_id is not null order by 1`.execute(db);
  for (const { id } of products) await keepShares(db, id);
  const { rows } = await sql<Swapped>`
    select d.id, d.sn, d.name, d.status, d.product_id, d.dept_id, d.dept_path, d.merchant_id, d.shop_id, m.name as merchant, d.config, d.deleted_at
    from device d left join merchant_merchant m on m.id = d.merchant_id where d.id = any(${ids}::bigint[]) order by d.id for no key update of d`.execute(
    db,
  );
  return rows;
}

/** Faults: SWAP_STOCKED, SWAP_PLACED, DEVICE_STATE, DEVICE_IN_TRANSFER, DEVICE_SOLD, DEVICE_PRODUCT, each at its terminal. */
async function check(db: Db, old: Swapped, other: Swapped): Promise<void> {
  if (old.status === '5') throw at('id', 'SWAP_STOCKED');
  if ((await whyHeld(db, 'issue', [old.id])).size > 0) throw at('id', 'DEVICE_IN_TRANSFER');
  if (other.status === '4') throw at('otherId', 'DEVICE_STATE');
  if (other.merchant_id !== null) throw at('otherId', 'SWAP_PLACED', { name: other.merchant ?? '' });
  const held = (await whyHeld(db, 'stockIn', [other.id])).get(other.id);
  if (held !== undefined) throw at('otherId', held);
  const { rows } = await sql<{ is: boolean }>`
    select ${usableAt(sql`${old.dept_path}::text`)} as is from product_product p where p.id = ${other.product_id}`.execute(db);
  if (rows[0]?.is !== true) throw at('otherId', 'DEVICE_PRODUCT');
}

/** The new one stands where the old one stood, in its groups, under its name and with its settings. */
async function takePlace(ctx: Ctx, db: Db, old: Swapped, other: Swapped): Promise<void> {
  if (other.dept_id !== old.dept_id) await bulkActs.move(ctx, db, [other.id], { deptId: old.dept_id });
  if (other.status === '5') await bulkActs.issue(ctx, db, [other.id], {});
  const name = old.name === old.sn ? other.name : old.name;
  await sql`update device set merchant_id = null, shop_id = null, name = sn where id = ${old.id}`.execute(db);
  await sql`update device set merchant_id = ${old.merchant_id}, shop_id = ${old.shop_id}, name = ${name} where id = ${other.id}`.execute(
    db,
  );
  await sql`insert into device_group_member (group_id, device_id, dept_path)
    select group_id, ${other.id}, dept_path from device_group_member where device_id = ${old.id} on conflict do nothing`.execute(db);
  await sql`delete from device_group_member where device_id = ${old.id}`.execute(db);
  await handOverSale(db, old.id, other.id);
  if (Object.keys(old.config).length > 0) await putConfig(ctx, db, other.id, old.config);
}

/** What was still asked of it is over; it lies in stock, or is shut out. */
async function putAway(ctx: Ctx, db: Db, { id, status }: Swapped, goes: 'stock' | 'disabled'): Promise<void> {
  const asked = await sql<{ id: number }>`
    select id from gateway_outbox where device_id = ${id} and topic = 'command' and state in ('waiting', 'sent')`.execute(db);
  await move(
    db,
    outboxRows,
    'withdraw',
    asked.rows.map((row) => row.id),
    { actorId: ctx.actor.userId },
  );
  if (goes === 'disabled') {
    if (status !== '4') await bulkActs.disable(ctx, db, [id], {});
    return;
  }
  if (status === '3') {
    await sql`update device_presence set online = false where device_id = ${id}`.execute(db);
    await move(db, deviceRows, 'lost', [id], { actorId: ctx.actor.userId });
  }
  await bulkActs.stockIn(ctx, db, [id], {});
}

/** Past the policy, once both are known to be the actor's: their groups may be of organisations above. */
export const swapDevice: Handler<typeof deviceCalls.swap> = async (ctx, { id, otherId, goes, remark }) => {
  if (id === otherId) throw at('otherId', 'SWAP_SAME');
  const done = await ctx.unscoped(async (db) => {
    const rows = (await hold(db, [id, otherId])).filter((row) => row.deleted_at === null && row.dept_path.startsWith(ctx.scope.path));
    const [old, other] = [id, otherId].map((one) => rows.find((row) => row.id === one));
    if (!old || !other) throw fault('NOT_FOUND');
    await check(db, old, other);
    await takePlace(ctx, db, old, other);
    await putAway(ctx, db, old, goes);
    const act = { remark, by: ctx.actor.userName, now: ctx.now() };
    await noteCustody(db, [id], { event: 'replaced', from: '', to: other.sn, ...act });
    await noteCustody(db, [otherId], { event: 'replaces', from: old.sn, ...act });
    await ctx.enqueue(db, SWAP_DEVICES, { from: id, to: otherId });
    await mayJoin(db, ctx, [otherId]);
    for (const group of ['/device', '/merchant', '/shop', '/inventory/device', '/inventory/custody'])
      await ctx.invalidate(db, group, old.dept_path);
    return { old, other };
  });
  ctx.audit({ target: `device ${done.old.sn}`, after: { swappedFor: done.other.sn, goes } });
  return { id: done.other.id, sn: done.other.sn };
};
