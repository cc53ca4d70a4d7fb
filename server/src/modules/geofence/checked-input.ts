import type { GeofenceShape } from '@mooring/contract/geofence/geofence';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '../../platform/context.ts';

export const wrong = (name: string, text = 'invalid.required') => new Fault('BAD_INPUT', { fields: { [name]: text } });

/** What is drawn, and no more than its shape needs. */
export function drawn(input: {
  shape: z.output<typeof GeofenceShape>;
  lat: number | null;
  lon: number | null;
  radius: number | null;
  area: string;
}) {
  const { shape, lat, lon, radius, area } = input;
  if (shape === 'polygon') {
    if (area === '') throw wrong('area');
    return { lat: null, lon: null, radius: null, area };
  }
  if (radius === null) throw wrong('radius');
  if (shape === 'shop') return { lat: null, lon: null, radius, area: '' };
  if (lat === null) throw wrong('lat');
  if (lon === null) throw wrong('lon');
  return { lat, lon, radius, area: '' };
}

/** Chosen terminals are of the organisation of the fence: another's would never be held against it. */
export async function checkDevices(db: Db, ids: readonly number[], path: string): Promise<void> {
  if (ids.length === 0) throw wrong('deviceIds');
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from device where id = any(${ids}::bigint[]) and deleted_at is null and starts_with(dept_path, ${path})`.execute(
    db,
  );
  if (rows[0]?.n !== new Set(ids).size) throw wrong('deviceIds', 'invalid.geofenceDevices');
}
