import type { Cluster, mapCalls, PlacedTerminal } from '@mooring/contract/device/map/map-calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import type { MapMark } from '../ui/map/marks.ts';
import { KEYS, together } from '../ui/map/together.ts';
import { toneOf } from './state-tag.tsx';

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
