import { DEGREE, type Place } from '@mooring/contract/geofence/outline';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { pathsAbove } from '../../platform/paths-above.ts';
import { type Shape, shapeOf } from './shape.ts';

/** A fence as it is held in memory. */
export interface Fence {
  readonly id: number;
  readonly revision: number;
  readonly dept_path: string;
  readonly shape: string;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly radius: number | null;
  readonly area: string;
  readonly audience: string;
  readonly group_ids: readonly (string | number)[];
  readonly device_ids: readonly (string | number)[];
  readonly alarm_on: string;
  readonly out_minutes: number;
  readonly margin: number;
  readonly fixes: number;
  readonly settle_minutes: number;
}
export interface Held extends Fence {
  /** Nothing where it goes around each terminal's shop. */
  readonly drawn: Shape | undefined;
  /** Null: for all of its organisation, or for groups, which are asked for where something changes. */
  readonly devices: ReadonlySet<number> | null;
}

/** Squares of a fence in the grid at most; larger ones are asked for everywhere. */
const MOST_SQUARES = 64;
const STEP = 0.25;
const column = (lon: number) => Math.floor(((((lon + 180) % 360) + 360) % 360) / STEP);
const row = (lat: number) => Math.floor((lat + 90) / STEP);
const squareOf = ({ lat, lon }: Place) => row(lat) * (360 / STEP) + column(lon);

/** The squares that a shape reaches; nothing where those are very many. */
function squaresOf(shape: Shape): number[] | undefined {
  const box = boxOf(shape);
  if (!box) return undefined;
  const found: number[] = [];
  for (let lat = box.south; ; lat = Math.min(lat + STEP, box.north)) {
    for (let lon = box.west; ; lon = Math.min(lon + STEP, box.east)) {
      found.push(squareOf({ lat, lon }));
      if (found.length > MOST_SQUARES) return undefined;
      if (lon >= box.east) break;
    }
    if (lat >= box.north) break;
  }
  return [...new Set(found)];
}
function boxOf(shape: Shape) {
  if (shape.kind === 'polygon') {
    const [lats, lons] = [shape.corners.map(([lat]) => lat), shape.corners.map(([, lon]) => lon)];
    return { south: Math.min(...lats), north: Math.max(...lats), west: Math.min(...lons), east: Math.max(...lons) };
  }
  const { lat, lon } = shape.centre;
  const high = shape.radius / DEGREE;
  // Near a pole a circle goes round it.
  if (Math.abs(lat) + high > 85) return undefined;
  const wide = high / Math.cos(((Math.abs(lat) + high) * Math.PI) / 180);
  return { south: lat - high, north: lat + high, west: lon - wide, east: lon + wide };
}

/** The fences of one organisation: those that concern any position, and by squares those that only say something to who stands within. */
interface OfPath {
  readonly everywhere: Held[];
  readonly bySquare: Map<number, Held[]>;
}
export interface Fences {
  readonly version: number;
  readonly byId: ReadonlyMap<number, Held>;
  readonly byPath: ReadonlyMap<string, OfPath>;
}
const none: Fences = { version: 0, byId: new Map(), byPath: new Map() };

function indexed(version: number, rows: readonly Fence[]): Fences {
  const byId = new Map<number, Held>();
  const byPath = new Map<string, OfPath>();
  for (const one of rows) {
    const drawn = one.shape === 'shop' ? undefined : shapeOf(one);
    const held: Held = { ...one, drawn, devices: one.audience === 'devices' ? new Set(one.device_ids.map(Number)) : null };
    byId.set(one.id, held);
    const of = byPath.get(one.dept_path) ?? { everywhere: [], bySquare: new Map<number, Held[]>() };
    byPath.set(one.dept_path, of);
    const squares = one.alarm_on === 'left' && drawn ? squaresOf(drawn) : undefined;
    if (!squares) of.everywhere.push(held);
    for (const square of squares ?? []) of.bySquare.set(square, [...(of.bySquare.get(square) ?? []), held]);
  }
  return { version, byId, byPath };
}

export const isFor = (fence: Held, deviceId: number, path: string): boolean =>
  path.startsWith(fence.dept_path) && (fence.devices?.has(deviceId) ?? true);

/** Those that this position may bring a terminal into, or that wait for it wherever it is. Where it already stands to is known by its rows. */
export const fencesAt = ({ byPath }: Fences, deviceId: number, path: string, place: Place): Held[] =>
  pathsAbove(path).flatMap((above) => {
    const of = byPath.get(above);
    if (!of) return [];
    return [...of.everywhere, ...(of.bySquare.get(squareOf(place)) ?? [])].filter((one) => isFor(one, deviceId, path));
  });

/** All fences that are enabled, kept in memory and read anew when any was changed: each batch asks whether what it holds is the newest. */
export function keepFences(): (db: Db) => Promise<Fences> {
  let kept = none;
  return async (db) => {
    const { rows } = await sql<{ n: number }>`select sum(n)::bigint as n from geofence_version`.execute(db);
    const version = Number(rows[0]?.n ?? 0);
    if (version === kept.version) return kept;
    const found = await sql<Fence>`
      select id, revision, dept_path, shape, lat, lon, radius, area, audience, group_ids, device_ids, alarm_on, out_minutes, margin, fixes, settle_minutes
      from geofence where enabled order by id`.execute(db);
    kept = indexed(version, found.rows);
    return kept;
  };
}
