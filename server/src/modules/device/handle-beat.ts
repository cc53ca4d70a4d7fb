import { LEASE_BEATS } from '@mooring/contract/device/limits';
import { sql } from 'kysely';
import { wakeResults } from '../../engines/rollout/handle-results.ts';
import { move } from '../../platform/db/move.ts';
import { onUp } from '../../platform/gateway/message.ts';
import { wake } from '../../platform/gateway/outbox.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { DEVICES, deviceRows } from './device-rows.ts';
import { isWorthKeeping, keepPositions } from './position/keep-positions.ts';
import type { TimerWheel } from './timer-wheel.ts';

/** A position is one word: its source and accuracy are of the same one. */
const positionOf = (now: Date) => sql`
  lat = coalesce(x.lat, p.lat), lon = coalesce(x.lon, p.lon), position_source = case when x.lat is null then p.position_source else x.source end,
  accuracy = case when x.lat is null then p.accuracy else x.accuracy end, positioned_at = case when x.lat is null then p.positioned_at else ${now} end`;

/** Newest figures, one statement for thousands of devices; the device row itself isn't rewritten by a heartbeat. */
export const handleBeats = (wheel: Pick<TimerWheel, 'set'>) =>
  onUp('beat', async (db, batch, app) => {
    const beats = [...batch].sort((a, b) => a.deviceId - b.deviceId);
    const now = app.now();
    const column = <T>(of: (data: (typeof beats)[number]['data']) => T | undefined): (T | null)[] =>
      beats.map((one) => of(one.data) ?? null);
    const written = await sql<{ id: number; lease_until: Date; back: boolean; news: boolean }>`
    with x as (
      select u.*, r.heartbeat_seconds, p.online as was_online from unnest(
        ${beats.map((one) => one.deviceId)}::bigint[], ${column((d) => d.battery)}::real[], ${column((d) => d.charging)}::boolean[], ${column((d) => d.network?.kind)}::text[], ${column((d) => d.network?.signal)}::real[],
        ${column((d) => d.storage?.total)}::bigint[], ${column((d) => d.storage?.free)}::bigint[], ${column((d) => d.temperature)}::real[], ${column((d) => (d.uptime === undefined ? undefined : Math.round(d.uptime)))}::bigint[],
        ${column((d) => d.position?.lat)}::float8[], ${column((d) => d.position?.lon)}::float8[], ${column((d) => d.position?.source)}::text[], ${column((d) => d.position?.accuracy)}::real[], ${column((d) => (d.counters ? JSON.stringify(d.counters) : undefined))}::jsonb[]
      ) as u(id, battery, charging, network, signal, total, free, temperature, uptime, lat, lon, source, accuracy, counters)
      join device_presence p on p.device_id = u.id join device d on d.id = u.id join product_product r on r.id = d.product_id order by u.id
    )
    update device_presence p set online = true, seen_at = ${now}, lease_until = ${now}::timestamptz + x.heartbeat_seconds * ${LEASE_BEATS}::float * interval '1 second',
      battery = coalesce(x.battery, p.battery), charging = coalesce(x.charging, p.charging), network = coalesce(x.network, p.network), signal = coalesce(x.signal, p.signal),
      storage_total = coalesce(x.total, p.storage_total), storage_free = coalesce(x.free, p.storage_free), temperature = coalesce(x.temperature, p.temperature), uptime = coalesce(x.uptime, p.uptime),
      ${positionOf(now)}, counters = coalesce(x.counters, p.counters)
    from x where p.device_id = x.id
    returning p.device_id as id, p.lease_until, not x.was_online as back, ${isWorthKeeping(now)} as news`.execute(db);
    for (const row of written.rows) wheel.set(row.id, row.lease_until);
    const back = written.rows.filter((row) => row.back).map((row) => row.id);
    if (back.length > 0) {
      await move(db, deviceRows, 'seen', back);
      // Its lease ran out on a connection that lasted: it says no hello, and what was put off for its absence waits for this word.
      await wake(db, back, now);
      await wakeResults(db, back, now);
    }
    await keepPositions(
      db,
      written.rows.filter((row) => row.news).map((row) => row.id),
      now,
    );
    if (back.length === 0) return;
    const paths = new Map(beats.map((one) => [one.deviceId, one.deptPath]));
    await invalidatePaths(
      db,
      app,
      DEVICES,
      back.map((id) => paths.get(id) ?? '1.'),
    );
  });
