import { type MapMark, radiusOf } from './marks.ts';

/** How near two marks may come, of both their radii. */
const COVERED = 0.95;
const TILE = 256;
const EDGE = 85.05;
/** Between the keys of several that are one mark. */
export const KEYS = ',';

function pixelOf({ lat, lon }: Pick<MapMark, 'lat' | 'lon'>, zoom: number): readonly [number, number] {
  const size = TILE * 2 ** zoom;
  const sine = Math.sin((Math.max(-EDGE, Math.min(EDGE, lat)) * Math.PI) / 180);
  return [((lon + 180) / 360) * size, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size];
}

function joined(a: MapMark, b: MapMark, written: (n: number) => string): MapMark {
  const count = a.count + b.count;
  const parts = new Map(a.parts.map(({ tone, n }) => [tone, n]));
  for (const { tone, n } of b.parts) parts.set(tone, (parts.get(tone) ?? 0) + n);
  return {
    key: `${a.key}${KEYS}${b.key}`,
    lat: (a.lat * a.count + b.lat * b.count) / count,
    lon: (a.lon * a.count + b.lon * b.count) / count,
    count,
    label: written(count),
    parts: [...parts].map(([tone, n]) => ({ tone, n })).sort((x, y) => y.n - x.n),
    picked: (a.picked ?? false) || (b.picked ?? false),
  };
}

/** Those that would lie on each other are one, with how many it is. Few: each is held against each. */
export function together(marks: readonly MapMark[], zoom: number, written: (n: number) => string): readonly MapMark[] {
  const groups: { at: readonly [number, number]; mark: MapMark }[] = [];
  for (const mark of marks) {
    const at = pixelOf(mark, zoom);
    const near = groups.find((one) => Math.hypot(one.at[0] - at[0], one.at[1] - at[1]) < COVERED * (radiusOf(one.mark) + radiusOf(mark)));
    if (near) near.mark = joined(near.mark, mark, written);
    else groups.push({ at, mark });
  }
  return groups.map(({ mark }) => mark);
}
