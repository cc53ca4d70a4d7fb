import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';

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
 * Keeps where these terminals are now, for those of which it is news. Their presence is locked by the batch; terminals and places are locked in the order of
 * whoever changes a terminal, as the last of all. What somebody else writes just now is kept with its next heartbeat: waiting for it could go in a circle.
 */
export async function keepPositions(db: Db, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with free as materialized (
      select d.id as device_id, d.dept_path from device d join device_place w on w.device_id = d.id where d.id = any(${ids}::bigint[])
      order by d.id for no key update of d, w skip locked
    ), kept as (
      update device_presence p set kept_lat = p.lat, kept_lon = p.lon, kept_at = ${now} from free
      where p.device_id = free.device_id and ${isWorthKeeping(now)}
      returning p.device_id, p.lat, p.lon, p.accuracy, coalesce(p.position_source, 'unknown') as source, free.dept_path
    ), tracked as (
      insert into device_track (device_id, at, lat, lon, accuracy, source, dept_path)
      select device_id, ${now}, lat, lon, accuracy, source, dept_path from kept order by device_id on conflict do nothing
    )
    update device_place p set lat = k.lat, lon = k.lon, accuracy = k.accuracy, source = k.source, at = ${now}
    from kept k where p.device_id = k.device_id`.execute(db);
}
