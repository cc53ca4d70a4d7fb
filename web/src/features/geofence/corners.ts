import { type Corner, cornersOf } from '@mooring/contract/device/map/area';
import type { Geofence } from '@mooring/contract/geofence/geofence';
import { circleOf, DEGREE } from '@mooring/contract/geofence/outline';
import type { RowOf } from '@mooring/contract/kit/entity';
import type { MapBox } from '../../ui/map/map-canvas.tsx';

export type FenceRow = RowOf<typeof Geofence>;
type Drawn = Pick<FenceRow, 'shape'> & Partial<Pick<FenceRow, 'lat' | 'lon' | 'radius' | 'area'>>;

/** What is drawn of a fence; nothing where it goes around each terminal's shop. */
export function cornersFor({ shape, lat, lon, radius, area }: Drawn): readonly Corner[] | undefined {
  if (shape === 'polygon') return area ? cornersOf(area) : undefined;
  const isWhole = shape === 'circle' && typeof lat === 'number' && typeof lon === 'number' && typeof radius === 'number';
  return isWhole && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && radius > 0 ? circleOf({ lat, lon }, radius) : undefined;
}

/** What corners take up on the map, with a little around it. */
export function boxAround(corners: readonly Corner[]): MapBox {
  const [lats, lons] = [corners.map(([lat]) => lat), corners.map(([, lon]) => lon)];
  const edge = 100 / DEGREE;
  return {
    south: Math.max(-85, Math.min(...lats) - edge),
    north: Math.min(85, Math.max(...lats) + edge),
    west: Math.min(...lons) - edge,
    east: Math.max(...lons) + edge,
  };
}
