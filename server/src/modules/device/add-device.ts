import type { deviceCalls } from '@mooring/contract/device/calls';
import type { DeviceNew } from '@mooring/contract/device/schemas';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { keepShares, usableAt } from '../product/api.ts';
import { deviceRows } from './device-rows.ts';
import { readDevice } from './page-devices.ts';

export interface NewDevice {
  readonly sn: string;
  readonly name?: string | undefined;
  readonly productId: number;
  readonly deptId: number;
  readonly deptPath: string;
  readonly stocked?: boolean;
  readonly tags?: readonly string[];
  readonly testTerminal?: boolean;
  readonly remark?: string;
}

/** Undefined where the SN is in use, by whomever: a SN is unique in the installation. */
export async function addDevice(db: Db, device: NewDevice, actorId: number | null): Promise<number | undefined> {
  const made = await sql<{ id: number }>`
    insert into device (sn, name, status, product_id, dept_id, dept_path, tags, test_terminal, remark)
    values (${device.sn}, ${device.name ?? device.sn}, ${device.stocked ? '5' : '1'}, ${device.productId}, ${device.deptId}, ${device.deptPath}, ${device.tags ?? []}::text[], ${device.testTerminal ?? false}, ${device.remark ?? ''})
    on conflict (sn) do nothing returning id`.execute(db);
  const id = made.rows[0]?.id;
  if (id) await recordCreated(db, deviceRows, [id], actorId);
  return id;
}

/** Many at once, each known by its SN alone, into stock. Those whose SN somebody has already aren't in the answer. */
export async function addStocked(
  db: Db,
  { sns, productId, dept, actorId }: { sns: readonly string[]; productId: number; dept: { id: number; path: string }; actorId: number },
): Promise<number[]> {
  const made = await sql<{ id: number }>`
    insert into device (sn, name, status, product_id, dept_id, dept_path)
    select s.sn, s.sn, '5', ${productId}, ${dept.id}, ${dept.path} from unnest(${sns}::text[]) as s(sn) on conflict (sn) do nothing returning id`.execute(
    db,
  );
  const ids = made.rows.map(({ id }) => id);
  await recordCreated(db, deviceRows, ids, actorId);
  return ids;
}

/**
 * Only what is published may be put to use, and only where its owner is on the same line or it is shared; its share doesn't end meanwhile.
 * Faults: PRODUCT_UNPUBLISHED, DEVICE_PRODUCT.
 */
export async function usableProduct(db: Db, productId: number, path: string): Promise<void> {
  // Its share may be about to end: asked only once that can't happen any more.
  await keepShares(db, productId);
  const product = await db
    .selectFrom('product_product as p')
    .select(['p.publish_status', usableAt(sql`${path}::text`).as('usable')])
    .where('p.id', '=', productId)
    .executeTakeFirst();
  if (product?.publish_status !== '1') throw new Fault('PRODUCT_UNPUBLISHED', { fields: { productId: 'fault.PRODUCT_UNPUBLISHED' } });
  if (!product.usable) throw new Fault('DEVICE_PRODUCT', { fields: { productId: 'fault.DEVICE_PRODUCT' } });
}

/** A department that rows may be put into: inside the scope, not merely visible above it. */
export async function deptInScope(db: Db, scopePath: string, id: number): Promise<{ id: number; path: string; name: string }> {
  const dept = await db
    .selectFrom('org_dept')
    .select(['id', 'dept_path as path', 'name'])
    .where('id', '=', id)
    .where('state', '=', 'enabled')
    .executeTakeFirst();
  if (!dept?.path.startsWith(scopePath)) throw fault('NOT_FOUND');
  return dept;
}

/** Faults: NOT_FOUND of the organisation, PRODUCT_UNPUBLISHED, DEVICE_PRODUCT, SN_TAKEN. */
export async function addNew(ctx: Ctx, input: z.output<typeof DeviceNew>): Promise<number> {
  const dept = await deptInScope(ctx.db, ctx.scope.path, input.deptId);
  await usableProduct(ctx.db, input.productId, dept.path);
  const id = await addDevice(ctx.db, { ...input, deptPath: dept.path }, ctx.actor.userId);
  if (!id) throw new Fault('SN_TAKEN', { fields: { sn: 'fault.SN_TAKEN' } });
  await noteCustody(ctx.db, [id], { event: 'entered', entryType: '2', by: ctx.actor.userName, now: ctx.now() });
  if (input.stocked) await ctx.invalidate(ctx.db, '/inventory/device', dept.path);
  return id;
}

export const addDeviceCall: Handler<typeof deviceCalls.add> = async (ctx, input) => {
  const id = await addNew(ctx, input);
  ctx.audit({ target: `device ${input.sn}` });
  return readDevice(ctx, id);
};
