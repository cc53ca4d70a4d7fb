import { mapCalls } from '@mooring/contract/device/map/map-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { useMemo } from 'react';
import type { MapView } from '../ui/map/map-canvas.tsx';
import type { MapMark } from '../ui/map/marks.ts';
import { useFormat } from '../ui/words.ts';
import { marksOf } from './map-marks.ts';
import { useCall } from './queries.ts';

const WHOLE = { south: -85, west: -180, north: 85, east: 180 };
const EVERY_SECONDS = 20;
const none: ReadonlySet<string> = new Set();

type Criteria = NonNullable<InputOf<typeof mapCalls.view>['criteria']>;
const all: Criteria = {};

/** The terminals of a view of the map, as marks, for maps that are about something else. */
export function useMapTerminals(view: MapView | undefined, criteria = all): readonly MapMark[] {
  const format = useFormat();
  const zoom = Math.max(0, view?.zoom ?? 1);
  const { data } = useCall(
    mapCalls.view,
    { criteria, box: view?.box ?? WHOLE, zoom },
    { keep: true, every: EVERY_SECONDS, enabled: view !== undefined },
  );
  return useMemo(() => (data ? marksOf(data, { zoom, written: (n) => format.count(n, 'short'), picked: none }) : []), [data, zoom, format]);
}

/** How many stand somewhere, and what they take up on the map: where one may begin. */
export const useMapFigures = (criteria = all) => useCall(mapCalls.figures, { criteria }, { keep: true, every: 3 * EVERY_SECONDS });
export const useMapExtent = () => useMapFigures().data?.extent ?? undefined;
