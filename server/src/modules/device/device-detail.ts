import type { deviceCalls } from '@mooring/contract/device/calls';
import type { ConfigValues } from '@mooring/contract/device/config-values';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { fault } from '@mooring/contract/kit/fault';
import type { Handler } from '../../platform/module.ts';
import { appsOf } from './apps-of.ts';
import { deviceOf, selectDevice } from './device.queries.ts';
import { doublesOf } from './doubles.ts';
import { withGroups } from './groups/groups-of.ts';

export const deviceDetail: Handler<typeof deviceCalls.detail> = async (ctx, { id }) => {
  const row = await selectDevice(ctx.db, id)
    .select([
      'p.code as product_code',
      'd.model',
      'd.agent',
      'd.patch',
      'd.screen',
      'd.modules',
      'd.settings',
      'd.android_params',
      'd.capabilities',
      'd.remark',
      'd.notes',
      'd.config',
      'd.config_revision',
      'd.config_reported',
      'f.online',
      'f.connected_at',
      'f.lease_until',
      'f.storage_total',
      'f.storage_free',
      'f.temperature',
      'f.uptime',
      'f.lat',
      'f.lon',
      'f.position_source',
      'f.counters',
    ])
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  const credentials = await ctx.db
    .selectFrom('device_credential')
    .select(['id', 'serial', 'fingerprint', 'issued_at', 'expires_at', 'revoked_at'])
    .where('device_id', '=', id)
    .orderBy('issued_at', 'desc')
    .limit(20)
    .execute();
  const [device] = await withGroups(ctx, [deviceOf(ctx)(row)]);
  return {
    ...(device as NonNullable<typeof device>),
    productCode: row.product_code ?? '',
    model: row.model,
    agent: row.agent,
    patch: row.patch,
    screen: row.screen as DeviceDetail['screen'],
    modules: row.modules as Record<string, string>,
    settings: row.settings as Record<string, string>,
    androidParams: row.android_params as Record<string, string | number | boolean | null>,
    apps: await appsOf(ctx.db, id),
    doubles: await doublesOf(ctx, { id, imei: row.imei, iccid: row.iccid }),
    capabilities: row.capabilities,
    remark: row.remark,
    notes: row.notes,
    connectedAt: row.online ? row.connected_at : null,
    leaseUntil: row.online ? row.lease_until : null,
    health: {
      battery: row.battery,
      charging: row.charging,
      network: row.network,
      signal: row.signal,
      storageTotal: row.storage_total,
      storageFree: row.storage_free,
      temperature: row.temperature,
      uptime: row.uptime,
      lat: row.lat,
      lon: row.lon,
      positionSource: row.position_source,
      counters: (row.counters ?? {}) as Record<string, number>,
    },
    credentials: credentials.map((one) => ({
      id: one.id,
      serial: one.serial,
      fingerprint: one.fingerprint,
      issuedAt: one.issued_at,
      expiresAt: one.expires_at,
      revokedAt: one.revoked_at,
    })),
    config: { revision: row.config_revision, reported: row.config_reported, values: row.config as ConfigValues },
  };
};
