import { type Corner, cornersOf } from '@mooring/contract/device/map/area';
import { DEGREE, metresBetween, type Place } from '@mooring/contract/geofence/outline';

interface Circle {
  readonly kind: 'circle';
  readonly centre: Place;
  readonly radius: number;
}
interface Polygon {
  readonly kind: 'polygon';
  readonly corners: readonly Corner[];
}
export type Shape = Circle | Polygon;

const rad = (degrees: number) => (degrees * Math.PI) / 180;

/** Sides in metres around a place, on that turn of the world which is nearest to it. */
function sidesAround(corners: readonly Corner[], { lat, lon }: Place): (readonly [number, number, number, number])[] {
  const lons = corners.map((corner) => corner[1]);
  const middle = (Math.min(...lons) + Math.max(...lons)) / 2;
  const here = lon + 360 * Math.round((middle - lon) / 360);
  const wide = DEGREE * Math.max(0.01, Math.cos(rad(lat)));
  const at = corners.map(([cornerLat, cornerLon]) => [(cornerLon - here) * wide, (cornerLat - lat) * DEGREE] as const);
  return at.map(([x, y], index) => {
    const [nextX, nextY] = at[(index + 1) % at.length] ?? [x, y];
    return [x, y, nextX, nextY] as const;
  });
}

/** Metres from the origin to a side. */
function metresTo([x, y, toX, toY]: readonly [number, number, number, number]): number {
  const [dx, dy] = [toX - x, toY - y];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, -(x * dx + y * dy) / length));
  return Math.hypot(x + part * dx, y + part * dy);
}

/** Metres from the outline: less than nothing within. */
export function metresOutside(shape: Shape, place: Place): number {
  if (shape.kind === 'circle') return metresBetween(shape.centre, place) - shape.radius;
  const sides = sidesAround(shape.corners, place);
  const away = Math.min(...sides.map(metresTo));
  const crossed = sides.filter(([x, y, toX, toY]) => y > 0 !== toY > 0 && x + ((0 - y) / (toY - y)) * (toX - x) > 0).length;
  return crossed % 2 === 1 ? -away : away;
}

interface Drawn {
  readonly shape: string;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly radius: number | null;
  readonly area: string;
}
/** What is drawn; around a shop, where that stands. Nothing where the shop stands nowhere. */
export function shapeOf({ shape, lat, lon, radius, area }: Drawn, shop?: Place): Shape | undefined {
  if (shape === 'polygon') {
    const corners = cornersOf(area);
    return corners && { kind: 'polygon', corners };
  }
  const centre = shape === 'shop' ? shop : lat === null || lon === null ? undefined : { lat, lon };
  return centre && radius !== null ? { kind: 'circle', centre, radius } : undefined;
}
