import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import { invalidatePaths } from '../../../platform/live/invalidate-paths.ts';
import { DEVICE_MAP } from '../device-rows.ts';

/** What is less than this from the point before is where it was. */
const MOVED_METRES = 100;
/** A terminal that says another place each second leaves one point a minute. */
const LEAST_MINUTES = 1;
/** That it stays where it is, is kept so often. */
const STAYED_HOURS = 6;

/** Of presence `p`: whether its newest position is to be kept. */
export const isWorthKeeping = (now: Date) => sql<boolean>`
  (p.positioned_at = ${now} and p.lat is not null and (p.kept_at is null or p.kept_at <= ${now}::timestamptz - make_interval(hours => ${STAYED_HOURS}::int)
    or (p.kept_at <= ${now}::timestamptz - make_interval(mins => ${LEAST_MINUTES}::int)
      and metres_between(p.lat, p.lon, p.kept_lat, p.kept_lon) > greatest(${MOVED_METRES}::int, p.accuracy))))`;

/**
 * Keeps where these terminals are now, for those of which it is news. Their presence is locked by the batch. Whose place somebody else writes just now
 * is kept with its next heartbeat: waiting for it could go in a circle.
 */
export async function keepPositions(db: Db, app: AppContext, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const kept = await sql<{ dept_path: string }>`
    with free as materialized (
      select device_id from device_place where device_id = any(${ids}::bigint[]) order by device_id for no key update skip locked
    ), kept as (
      update device_presence p set kept_lat = p.lat, kept_lon = p.lon, kept_at = ${now} from free
      where p.device_id = free.device_id and ${isWorthKeeping(now)}
      returning p.device_id, p.lat, p.lon, p.accuracy, coalesce(p.position_source, 'unknown') as source
    ), tracked as (
      insert into device_track (device_id, at, lat, lon, accuracy, source, dept_path)
      select k.device_id, ${now}, k.lat, k.lon, k.accuracy, k.source, d.dept_path from kept k join device d on d.id = k.device_id
      order by k.device_id on conflict do nothing
    )
    update device_place p set lat = k.lat, lon = k.lon, accuracy = k.accuracy, source = k.source, at = ${now}
    from kept k where p.device_id = k.device_id returning p.dept_path`.execute(db);
  await invalidatePaths(
    db,
    app,
    DEVICE_MAP,
    kept.rows.map((row) => row.dept_path),
  );
}
