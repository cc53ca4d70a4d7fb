import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { onUp } from '../../platform/gateway/message.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { PROPERTIES_MOST, withinBounds } from './bounded-properties.ts';
import { DEVICES } from './device-rows.ts';

/** Repeated ones were dropped before. */
export const handleEvents = onUp('event', async (db, batch, app) => {
  const rows = JSON.stringify(
    batch.map((one) => ({
      device_id: one.deviceId,
      dept_path: one.deptPath,
      name: one.data.name,
      level: one.data.level,
      params: one.data.params,
      terminal_at: one.at.toISOString(),
    })),
  );
  await sql`
    insert into device_event (at, device_id, dept_path, name, level, params, terminal_at)
    select ${app.now()}, device_id, dept_path, name, level, params, terminal_at
    from jsonb_to_recordset(${rows}::jsonb) as e(device_id bigint, dept_path text, name text, level text, params jsonb, terminal_at timestamptz)`.execute(
    db,
  );
  const paths = batch.map((one) => one.deptPath);
  for (const group of [DEVICES, THINGS]) await invalidatePaths(db, app, group, paths);
});

/** Keys of each device with their bytes; its presence is locked already. */
async function heldProperties(db: Db, ids: readonly number[]): Promise<Map<number, Map<string, number>>> {
  const { rows } = await sql<{ id: number; key: string; bytes: number }>`
    select p.device_id as id, e.key, octet_length(e.key) + octet_length(e.value::text) as bytes
    from device_presence p, jsonb_each(p.properties) as e where p.device_id = any(${ids}::bigint[])`.execute(db);
  const held = new Map(ids.map((id) => [id, new Map<string, number>()]));
  for (const { id, key, bytes } of rows) held.get(id)?.set(key, bytes);
  return held;
}

/** Newest values of the thing model's properties with their moments, as many as are kept of a terminal. */
export const handleProperties = onUp('property', async (db, batch, app, refuse) => {
  const ids = [...new Set(batch.map((one) => one.deviceId))].sort((a, b) => a - b);
  const held = await heldProperties(db, ids);
  const merged = new Map<number, Record<string, unknown>>();
  for (const one of batch) {
    const { taken, beyond } = withinBounds(held.get(one.deviceId) ?? new Map(), one.data.values);
    merged.set(one.deviceId, { ...merged.get(one.deviceId), ...taken });
    if (beyond > 0) {
      const reason = `properties: ${beyond} beyond ${PROPERTIES_MOST.keys} or ${PROPERTIES_MOST.bytes} bytes`;
      refuse({ sn: one.sn, kind: 'property', reason, payload: Buffer.from(JSON.stringify(one.data)) });
    }
  }
  const now = app.now().toISOString();
  const timesOf = (id: number) => Object.fromEntries(Object.keys(merged.get(id) ?? {}).map((name) => [name, now]));
  await sql`
    update device_presence p set properties = coalesce(p.properties, '{}') || x.values, properties_at = coalesce(p.properties_at, '{}') || x.times
    from unnest(${ids}::bigint[], ${ids.map((id) => JSON.stringify(merged.get(id)))}::jsonb[], ${ids.map((id) => JSON.stringify(timesOf(id)))}::jsonb[]) as x(id, values, times)
    where p.device_id = x.id and x.values <> '{}'`.execute(db);
  await invalidatePaths(
    db,
    app,
    THINGS,
    batch.map((one) => one.deptPath),
  );
});
