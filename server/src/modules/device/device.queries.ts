import type { deviceCriteria } from '@mooring/contract/device/calls';
import type { Device } from '@mooring/contract/device/schemas';
import type { DevicePresence } from '@mooring/database/tables';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { inGroups } from '../../engines/devices/groups.ts';
import { meets } from '../../engines/devices/meets.ts';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { atOrBelow, pathBelow } from '../../platform/db/below.ts';
import { candidates, type LookUp } from '../../platform/db/candidates.ts';
import { all, valuesOf } from '../../platform/db/criteria.ts';
import { behindIn } from './behind.ts';
import { deviceActions } from './device-offers.ts';
import { firstDayOf } from './map/failure-days.ts';
import { onMap } from './map/place-conditions.ts';

export type DeviceCriteria = z.output<typeof deviceCriteria>;

/**
 * Conditions of the device lists. Parts of texts and tags go through candidate ids: their operators use no index under a policy.
 * Who asks beside the policy takes them as they stand.
 */
export async function deviceConditions(ctx: Ctx, criteria: DeviceCriteria, lookUp: LookUp = candidates): Promise<RawBuilder<boolean>> {
  const { deleted, below, groupId, area, cell, placed, failed, ...asked } = criteria;
  const groups = valuesOf(groupId);
  const known = (condition: RawBuilder<boolean>) => lookUp(ctx, 'device', condition);
  return all(
    await meets(asked, { lookUp: known, behind: () => behindIn(ctx, ctx.scope.path), path: ctx.scope.path, numbers: true }),
    below === undefined ? undefined : atOrBelow('d.dept_path', await pathBelow(ctx, below)),
    deleted ? sql<boolean>`d.deleted_at is not null` : sql<boolean>`d.deleted_at is null`,
    groups && (await known(await inGroups(ctx.db, groups))),
    ...(await Promise.all(onMap({ area, cell, placed, failedSince: failed && firstDayOf(ctx.now(), failed) }).map(known))),
  );
}

/** Devices with their figures, which are found by all `ids` at once. One whose product is out of sight is a device still. */
export const selectDevices = (db: Db, ids: RawBuilder<number[]>) =>
  db
    .selectFrom('device as d')
    .leftJoin('product_product as p', 'p.id', 'd.product_id')
    .innerJoin('org_dept as o', 'o.id', 'd.dept_id')
    .leftJoin('merchant_merchant as m', 'm.id', 'd.merchant_id')
    .leftJoin('merchant_shop as s', 's.id', 'd.shop_id')
    .leftJoin(sql<Selectable<DevicePresence>>`presence_of(${ids})`.as('f'), (join) => join.onRef('f.device_id', '=', 'd.id'))
    .select([
      'd.id',
      'd.sn',
      'd.name',
      'd.status',
      'd.lock_status',
      'd.product_id',
      'p.name as product_name',
      'd.dept_id',
      'o.name as dept_name',
      'm.id as merchant_id',
      'm.name as merchant_name',
      's.id as shop_id',
      's.name as shop_name',
      'd.firmware',
      'd.time_zone',
      'd.pn',
      'd.imei',
      'd.mac',
      'd.iccid',
      'd.tags',
      'd.test_terminal',
      'd.activated_at',
      'd.created_at',
      'd.revision',
      'd.deleted_at',
      'f.battery',
      'f.charging',
      'f.network',
      'f.signal',
      'f.seen_at',
    ]);

export const selectDevice = (db: Db, id: number) => selectDevices(db, sql`array[${id}::bigint]`).where('d.id', '=', id);

export type DeviceRow = Awaited<ReturnType<ReturnType<typeof selectDevices>['executeTakeFirstOrThrow']>>;

export const deviceOf =
  (ctx: Ctx) =>
  (row: DeviceRow): Omit<z.input<typeof Device>, 'groups'> => ({
    id: row.id,
    sn: row.sn,
    name: row.name,
    status: row.status,
    lockStatus: row.lock_status as '00',
    productId: row.product_id,
    productName: row.product_name ?? '',
    deptId: row.dept_id,
    deptName: row.dept_name,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    shopId: row.shop_id,
    shopName: row.shop_name,
    firmware: row.firmware,
    battery: row.battery,
    charging: row.charging,
    network: row.network,
    signal: row.signal,
    timeZone: row.time_zone,
    pn: row.pn,
    imei: row.imei,
    mac: row.mac,
    iccid: row.iccid,
    tags: row.tags,
    testTerminal: row.test_terminal,
    lastSeenAt: row.seen_at,
    activatedAt: row.activated_at,
    revision: row.revision,
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    ...allowing(deviceActions(ctx.actor.permissions, row)),
  });
