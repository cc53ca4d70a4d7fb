import { cellOf } from '@mooring/contract/device/map/area';
import type { Cluster, mapCalls, PlacedTerminal } from '@mooring/contract/device/map/map-calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import { toneOf } from '../../../kit/state-tag.tsx';
import type { MapMark } from '../../../ui/map/marks.ts';
import { KEYS, together } from '../../../ui/map/together.ts';

export type Seen = OutputOf<typeof mapCalls.view>;

/** How many in which state, the most first. */
export const statesOf = ({ byStatus }: Pick<Cluster, 'byStatus'>): readonly { readonly code: string; readonly n: number }[] =>
  Object.entries(byStatus)
    .map(([code, n = 0]) => ({ code, n }))
    .sort((a, b) => b.n - a.n);

/** What the map draws of an answer. */
export function marksOf(
  { clusters, terminals }: Seen,
  { zoom, written, picked }: { zoom: number; written: (n: number) => string; picked: ReadonlySet<string> },
): readonly MapMark[] {
  const mark = (of: Omit<MapMark, 'parts' | 'label' | 'picked'>, states: readonly { code: string; n: number }[]): MapMark => ({
    ...of,
    label: written(of.count),
    parts: states.map(({ code, n }) => ({ tone: toneOf(deviceMachine, code), n })),
    picked: picked.has(of.key),
  });
  const single = (one: PlacedTerminal) => mark({ key: keyOf(one), lat: one.lat, lon: one.lon, count: 1 }, [{ code: one.status, n: 1 }]);
  const several = clusters.map((one) => mark({ key: one.cell, lat: one.lat, lon: one.lon, count: one.count }, statesOf(one)));
  return together([...several, ...terminals.map(single)], zoom, written);
}
/** What was clicked, each by its own key. */
export const keysIn = (keys: readonly string[]): string[] => keys.flatMap((one) => one.split(KEYS));
export const keyOf = ({ id }: Pick<PlacedTerminal, 'id'>): string => `d${id}`;

/** `52.5200, 13.4050`; as near as the eye needs. */
export const written = (lat: number, lon: number): string => `${lat.toFixed(2)}, ${lon.toFixed(2)}`;

/** The square of the map that a cell is. */
export function boxOfCell(name: string): { south: number; west: number; north: number; east: number } | undefined {
  const cell = cellOf(name);
  if (!cell) return undefined;
  let [column, row, code] = [0, 0, cell.code];
  for (let bit = 0; bit < cell.level; bit += 1) {
    column += (code % 2) * 2 ** bit;
    row += (Math.floor(code / 2) % 2) * 2 ** bit;
    code = Math.floor(code / 4);
  }
  const size = 2 ** cell.level;
  const latOf = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / size))) * 180) / Math.PI;
  const lonOf = (x: number) => (x / size) * 360 - 180;
  return { south: latOf(row + 1), north: latOf(row), west: lonOf(column), east: lonOf(column + 1) };
}
