import { LOW_BATTERY, LOW_STORAGE, SILENT_HOURS } from '@mooring/contract/device/attention';
import { type RawBuilder, sql } from 'kysely';

/** Of a terminal `d`, its presence `p` and its product `r`: what its product says, or what holds for all. */
export const usual = {
  battery: sql<number>`coalesce(r.low_battery_percent, ${LOW_BATTERY}::int)`,
  /** Percent that is taken. */
  storage: sql<number>`coalesce(r.storage_full_percent, 100 - ${LOW_STORAGE}::int)`,
  silentMinutes: sql<number>`60 * coalesce(r.silent_hours, ${SILENT_HOURS}::int)`,
};
type Limit = RawBuilder<unknown>;

/** Null where nobody knows. */
export const isInUse = sql<boolean>`(d.deleted_at is null and d.status in ('2', '3'))`;
export const lowBattery = (limit: Limit) => sql<boolean>`(not coalesce(p.charging, false) and p.battery < ${limit})`;
export const fullStorage = (limit: Limit) =>
  sql<boolean>`(p.storage_total > 0 and p.storage_free * 100.0 < p.storage_total * (100 - ${limit})::numeric)`;
export const silentSince = sql<Date>`coalesce(p.seen_at, d.activated_at, d.created_at)`;
/** What it said of itself still holds: older figures are nobody's ground to act on. */
export const isFresh = (now: Date) => sql<boolean>`(p.seen_at > ${now}::timestamptz - interval '1 day')`;
export const silentFor = (minutes: Limit, now: Date) =>
  sql<boolean>`(d.status = '2' and ${silentSince} <= ${now}::timestamptz - make_interval(mins => (${minutes})::int))`;
