/** A ring of corners (longitude, latitude), the last one the same as the first. */
export type Ring = readonly (readonly number[])[];

const POLE = 89.9;

/** Across the date line a ring goes on beyond 180 instead of back round the world; one that goes round a pole is closed along it. */
function unrolled(ring: Ring): number[][] {
  let turn = 0;
  let before: number | undefined;
  const found = ring.map(([lon = 0, lat = 0]) => {
    if (before !== undefined && lon - before > 180) turn -= 360;
    if (before !== undefined && lon - before < -180) turn += 360;
    before = lon;
    return [lon + turn, lat];
  });
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last || Math.abs((last[0] ?? 0) - (first[0] ?? 0)) < 180) return found;
  const pole = (first[1] ?? 0) < 0 ? -POLE : POLE;
  return [...found, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}

/** The same polygon drawn without lines round the world: where it leaves the map on one side, once more at the other. */
export function unwrapped(polygon: readonly Ring[]): number[][][][] {
  const rings = polygon.map(unrolled);
  const lons = rings.flat().map(([lon = 0]) => lon);
  let [least, most] = [0, 0];
  for (const lon of lons) [least, most] = [Math.min(least, lon), Math.max(most, lon)];
  const moved = (by: number) => rings.map((ring) => ring.map(([lon = 0, lat = 0]) => [lon + by, lat]));
  return [rings, ...(most > 180.01 ? [moved(-360)] : []), ...(least < -180.01 ? [moved(360)] : [])];
}
