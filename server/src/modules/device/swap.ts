import { isDeepStrictEqual } from 'node:util';
import { deviceCalls, type oldGoes } from '@mooring/contract/device/calls';
import type { ConfigValues } from '@mooring/contract/device/config-values';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { sql } from 'kysely';
import { handOverSale, openSale } from '../../engines/custody/hand-over-sale.ts';
import { whyHeld } from '../../engines/custody/held.ts';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import { mayJoin } from '../../engines/rollout/join-tasks.ts';
import { SWAP_DEVICES } from '../../engines/rollout/swap-devices.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { handOverLevels } from '../paramfile/api.ts';
import { keepSharesOf, usableAt } from '../product/api.ts';
import { bulkActs, moveTo } from './bulk-acts.ts';
import { deviceRows } from './device-rows.ts';
import { putConfig, resetConfig } from './put-config.ts';
import { withdrawCommands } from './withdraw-commands.ts';

interface Swapped {
  readonly id: number;
  readonly sn: string;
  readonly name: string;
  readonly status: string;
  readonly product_id: number | null;
  readonly dept_id: number;
  readonly owner: string;
  readonly dept_path: string;
  readonly merchant_id: number | null;
  readonly shop_id: number | null;
  readonly merchant: string | null;
  readonly config: ConfigValues;
  readonly deleted_at: Date | null;
}
/** Both, held until the transaction ends: the shares of their products first, as everywhere. */
async function hold(db: Db, ids: readonly number[]): Promise<Swapped[]> {
  await keepSharesOf(db, ids);
  const { rows } = await sql<Swapped>`
    select d.id, d.sn, d.name, d.status, d.product_id, d.dept_id, d.dept_path, o.name as owner, d.merchant_id, d.shop_id, m.name as merchant, d.config, d.deleted_at
    from device d join org_dept o on o.id = d.dept_id left join merchant_merchant m on m.id = d.merchant_id where d.id = any(${ids}::bigint[]) order by d.id for no key update of d`.execute(
    db,
  );
  return rows;
}

/** How one takes the place of the other, and who says so. */
export interface Swap {
  readonly id: number;
  readonly otherId: number;
  /** Whether each of them, and the sale of the old one, is for this person to take. */
  readonly isTheirs: (which: 'old' | 'other' | 'sale', deptPath: string) => boolean;
  readonly goes: (typeof oldGoes)[number];
  readonly document?: string;
  readonly remark?: string;
  /** The old one has a place that it leaves: one in stock has none. */
  readonly placed?: boolean;
  /** What the input calls the new one. */
  readonly field: string;
}

/** Faults at the new one: SWAP_PLACED, DEVICE_STATE, DEVICE_IN_TRANSFER, DEVICE_SOLD, DEVICE_PRODUCT; at the old one DEVICE_IN_TRANSFER. */
async function check(db: Db, old: Swapped, other: Swapped, field: string): Promise<void> {
  const at = (name: string, params?: Record<string, string>) =>
    new Fault(name, { fields: { [field]: `fault.${name}` }, ...(params ? { params } : {}) });
  if ((await whyHeld(db, 'issue', [old.id])).size > 0)
    throw new Fault('DEVICE_IN_TRANSFER', { fields: { id: 'fault.DEVICE_IN_TRANSFER' } });
  if (other.status === '4') throw at('DEVICE_STATE');
  if (other.merchant_id !== null) throw at('SWAP_PLACED', { name: other.merchant ?? '' });
  if ((await whyHeld(db, 'issue', [other.id])).size > 0) throw at('DEVICE_IN_TRANSFER');
  if (await openSale(db, other.id)) throw at('DEVICE_SOLD');
  const { rows } = await sql<{ is: boolean }>`
    select ${usableAt(sql`${old.dept_path}::text`)} as is from product_product p where p.id = ${other.product_id}`.execute(db);
  if (rows[0]?.is !== true) throw at('DEVICE_PRODUCT');
}

/** The new one stands where the old one stood, in its groups, under its name and with its settings. */
async function takePlace(ctx: Ctx, db: Db, old: Swapped, other: Swapped): Promise<void> {
  if (other.dept_id !== old.dept_id) {
    await moveTo(ctx, db, [other.id], { id: old.dept_id, path: old.dept_path });
    await noteCustody(db, [other.id], { event: 'moved', from: other.owner, by: ctx.actor.userName, now: ctx.now() });
  }
  if (other.status === '5') await bulkActs.issue(ctx, db, [other.id], {});
  const name = old.name === old.sn ? other.name : old.name;
  if (old.merchant_id !== null) await sql`select from merchant_merchant where id = ${old.merchant_id} for share`.execute(db);
  if (old.shop_id !== null) await sql`select from merchant_shop where id = ${old.shop_id} for share`.execute(db);
  await sql`update device set merchant_id = null, shop_id = null, name = sn where id = ${old.id}`.execute(db);
  await sql`update device set merchant_id = ${old.merchant_id}, shop_id = ${old.shop_id}, name = ${name} where id = ${other.id}`.execute(
    db,
  );
  await sql`delete from device_group_member where device_id = ${other.id}`.execute(db);
  await sql`insert into device_group_member (group_id, device_id, dept_path)
    select group_id, ${other.id}, dept_path from device_group_member where device_id = ${old.id} on conflict do nothing`.execute(db);
  await sql`delete from device_group_member where device_id = ${old.id}`.execute(db);
  if (!isDeepStrictEqual(old.config, other.config)) await putConfig(ctx, db, other.id, old.config);
  await resetConfig(ctx, db, [old.id]);
  await handOverLevels(db, old.id, { id: other.id, deptId: old.dept_id, path: old.dept_path });
}

/** What was still asked of it is over; it lies in stock, or is shut out. */
async function putAway(ctx: Ctx, db: Db, { id, sn, status }: Swapped, goes: Swap['goes']): Promise<void> {
  await withdrawCommands(ctx, db, [id]);
  if (goes === 'disabled') {
    if (status !== '4') await bulkActs.disable(ctx, db, [id], {});
    return;
  }
  if (status === '3') {
    await sql`insert into gateway_cut (sn) values (${sn})`.execute(db);
    await sql`update device_presence set online = false where device_id = ${id}`.execute(db);
    await move(db, deviceRows, 'lost', [id], { actorId: ctx.actor.userId });
  }
  await bulkActs.stockIn(ctx, db, [id], {});
}

/**
 * In a transaction past the policy: groups of the old one may be of organisations above. Faults: NOT_FOUND; at the old one SWAP_STOCKED,
 * DEVICE_STATE (disabled, it goes into no stock) and DEVICE_SOLD (by somebody else); and those of `check`.
 */
export async function swapIn(ctx: Ctx, db: Db, { id, otherId, isTheirs, goes, placed, document, remark, field }: Swap) {
  const rows = (await hold(db, [id, otherId])).filter((row) => row.deleted_at === null);
  const [old, other] = [id, otherId].map((one) => rows.find((row) => row.id === one));
  if (!old || !other || !isTheirs('old', old.dept_path) || !isTheirs('other', other.dept_path)) throw fault('NOT_FOUND');
  const atOld = (name: string) => new Fault(name, { fields: { id: `fault.${name}` } });
  if (placed && old.status === '5') throw atOld('SWAP_STOCKED');
  if (goes === 'stock' && old.status === '4') throw atOld('DEVICE_STATE');
  // One of a former owner stays what it was: its terminal went elsewhere since.
  const sale = await openSale(db, id);
  const isSold = sale !== undefined && old.dept_path.startsWith(sale.path);
  if (isSold && !isTheirs('sale', sale.path)) throw atOld('DEVICE_SOLD');
  await check(db, old, other, field);
  await takePlace(ctx, db, old, other);
  if (isSold) await handOverSale(db, id, otherId);
  await putAway(ctx, db, old, goes);
  const act = { document, remark, by: ctx.actor.userName, now: ctx.now() };
  await noteCustody(db, [id], { event: 'replaced', from: '', to: other.sn, ...act });
  await noteCustody(db, [otherId], { event: 'replaces', from: old.sn, ...act });
  await ctx.enqueue(db, SWAP_DEVICES, { from: id, to: otherId });
  await mayJoin(db, ctx, [otherId]);
  for (const group of ['/device', '/merchant', '/shop', '/inventory/device', '/inventory/sale', '/inventory/custody'])
    await ctx.invalidate(db, group, old.dept_path);
  return { old, other };
}

/** Faults: SWAP_SAME, FORBIDDEN where it would change its organisation without the right to that, and those of `swapIn`. */
export const swapDevice: Handler<typeof deviceCalls.swap> = async (ctx, { id, otherId, goes, remark }) => {
  if (id === otherId) throw new Fault('SWAP_SAME', { fields: { otherId: 'fault.SWAP_SAME' } });
  const done = await ctx.unscoped(async (db) => {
    const { permissions } = ctx.actor;
    const isTheirs = (which: string, path: string) =>
      path.startsWith(ctx.scope.path) && (which !== 'sale' || isAllowed(permissions, 'inventory:sale:update'));
    const swapped = await swapIn(ctx, db, { id, otherId, isTheirs, goes, placed: true, remark, field: 'otherId' });
    if (swapped.old.dept_id !== swapped.other.dept_id && !isAllowed(permissions, deviceCalls.move.can)) throw fault('FORBIDDEN');
    return swapped;
  });
  ctx.audit({ target: `device ${done.old.sn}`, after: { swappedFor: done.other.sn, goes } });
  return { id: done.other.id, sn: done.other.sn };
};
