import type { Corner } from '../device/map/area.ts';

type Point = readonly [x: number, y: number];
const turn = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) => Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
const isBetween = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point) =>
  Math.min(ax, bx) <= cx && cx <= Math.max(ax, bx) && Math.min(ay, by) <= cy && cy <= Math.max(ay, by);

/** Whether two lines have a point in common. */
function meet(a: Point, b: Point, c: Point, d: Point): boolean {
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (abc !== abd && cda !== cdb) return true;
  return (
    (abc === 0 && isBetween(a, b, c)) ||
    (abd === 0 && isBetween(a, b, d)) ||
    (cda === 0 && isBetween(c, d, a)) ||
    (cdb === 0 && isBetween(c, d, b))
  );
}

/** Whether an outline runs over itself, or has two corners at one place: nobody can tell what is within. Its longitudes are in one go. */
export function crossesItself(corners: readonly Corner[]): boolean {
  const n = corners.length;
  const at = (index: number): Point => {
    const [lat, lon] = corners[index % n] ?? [0, 0];
    return [lon, lat];
  };
  for (let i = 0; i < n; i += 1) {
    const [a, b] = [at(i), at(i + 1)];
    if (a[0] === b[0] && a[1] === b[1]) return true;
    // Sides that follow each other share a corner, and nothing else: one doesn't run back over the other.
    const next = at(i + 2);
    if (turn(a, b, next) === 0 && (isBetween(a, b, next) || isBetween(b, next, a))) return true;
    for (let j = i + 2; j < n; j += 1) if (!(i === 0 && j === n - 1) && meet(a, b, at(j), at(j + 1))) return true;
  }
  return false;
}

const EARTH = 6_371_000;
const rad = (degrees: number) => (degrees * Math.PI) / 180;
/** One degree of latitude in metres. */
export const DEGREE = rad(1) * EARTH;

export interface Place {
  readonly lat: number;
  readonly lon: number;
}
/** Metres between two places, as the database has them (`metres_between`). */
export function metresBetween(a: Place, b: Place): number {
  const [dLat, dLon] = [rad(b.lat - a.lat), rad(b.lon - a.lon)];
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** A circle as corners, to be drawn. */
export function circleOf({ lat, lon }: Place, radius: number, corners = 72): readonly Corner[] {
  const wide = Math.max(0.01, Math.cos(rad(lat)));
  return Array.from({ length: corners }, (_, at): Corner => {
    const angle = (at / corners) * 2 * Math.PI;
    return [lat + (radius / DEGREE) * Math.sin(angle), lon + (radius / DEGREE / wide) * Math.cos(angle)];
  });
}
