import type { deviceCalls } from '@mooring/contract/device/calls';
import { fault } from '@mooring/contract/kit/fault';
import type { Handler } from '../../platform/module.ts';
import { deviceOf, presenceOf, selectDevices } from './device.queries.ts';

export const deviceDetail: Handler<typeof deviceCalls.detail> = async (ctx, { id }) => {
  const row = await selectDevices(ctx.db)
    .select([
      'p.code as product_code',
      'd.pn',
      'd.imei',
      'd.mac',
      'd.iccid',
      'd.model',
      'd.agent',
      'd.patch',
      'd.modules',
      'd.apps',
      'd.capabilities',
      'd.remark',
      'd.notes',
      'd.config',
      'd.config_revision',
      'd.config_reported',
    ])
    .where('d.id', '=', id)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  const presence = (await presenceOf(ctx.db, [id])).get(id);
  const credentials = await ctx.db
    .selectFrom('device_credential')
    .select(['id', 'serial', 'fingerprint', 'issued_at', 'expires_at', 'revoked_at'])
    .where('device_id', '=', id)
    .orderBy('issued_at', 'desc')
    .limit(20)
    .execute();
  return {
    ...deviceOf(ctx)(row, presence),
    productCode: row.product_code,
    pn: row.pn,
    imei: row.imei,
    mac: row.mac,
    iccid: row.iccid,
    model: row.model,
    agent: row.agent,
    patch: row.patch,
    modules: row.modules as Record<string, string>,
    apps: row.apps as { id: string; name?: string; version: string }[],
    capabilities: row.capabilities,
    remark: row.remark,
    notes: row.notes,
    connectedAt: presence?.online ? presence.connected_at : null,
    leaseUntil: presence?.online ? presence.lease_until : null,
    health: {
      battery: presence?.battery ?? null,
      charging: presence?.charging ?? null,
      network: presence?.network ?? null,
      signal: presence?.signal ?? null,
      storageTotal: presence?.storage_total ?? null,
      storageFree: presence?.storage_free ?? null,
      temperature: presence?.temperature ?? null,
      uptime: presence?.uptime ?? null,
      lat: presence?.lat ?? null,
      lon: presence?.lon ?? null,
      positionSource: presence?.position_source ?? null,
      counters: (presence?.counters ?? {}) as Record<string, number>,
    },
    credentials: credentials.map((one) => ({
      id: one.id,
      serial: one.serial,
      fingerprint: one.fingerprint,
      issuedAt: one.issued_at,
      expiresAt: one.expires_at,
      revokedAt: one.revoked_at,
    })),
    config: { revision: row.config_revision, reported: row.config_reported, values: row.config as Record<string, never> },
  };
};
