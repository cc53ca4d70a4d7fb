import { z } from 'zod';

/** A corner of an outline on the map, in degrees of WGS 84. */
export type Corner = readonly [lat: number, lon: number];

export const MOST_CORNERS = 100;
const NUMBER = /^-?\d{1,3}(\.\d{1,7})?$/;

function cornerOf(text: string): Corner | undefined {
  const [lat = '', lon = '', ...more] = text.split(',');
  if (more.length > 0 || !NUMBER.test(lat) || !NUMBER.test(lon)) return undefined;
  const corner = [Number(lat), Number(lon)] as const;
  return Math.abs(corner[0]) <= 90 && Math.abs(corner[1]) <= 180 ? corner : undefined;
}

/**
 * An outline across the date line goes on beyond 180 instead of back round the world: each step is the shorter way. Nothing where it goes round a pole,
 * or a step is half the world: nobody can tell what is within.
 */
export function unrolledCorners(corners: readonly Corner[]): readonly Corner[] | undefined {
  const found: Corner[] = [];
  for (const [lat, lon] of [...corners, ...corners.slice(0, 1)]) {
    const before = found.at(-1)?.[1] ?? lon;
    const straight = lon + 360 * Math.round((before - lon) / 360);
    if (Math.abs(Math.abs(straight - before) - 180) < 1e-9) return undefined;
    found.push([lat, straight]);
  }
  const lons = found.map(([, lon]) => lon);
  return found.pop()?.[1] === found[0]?.[1] && Math.max(...lons) - Math.min(...lons) <= 360 ? found : undefined;
}

/** The corners of `52.1,13.2;52.3,13.2;52.3,13.6`, the longitudes in one go; nothing where it is no outline. */
export function cornersOf(area: string): readonly Corner[] | undefined {
  const corners = area.split(';').map(cornerOf);
  const found = corners.filter((corner) => corner !== undefined);
  return found.length === corners.length && found.length >= 3 && found.length <= MOST_CORNERS ? unrolledCorners(found) : undefined;
}
const turned = (lon: number) => ((((lon + 180) % 360) + 360) % 360) - 180;

/** Of corners whose longitudes are in one go. A side of half the world or more gets corners between; nothing goes round more than once. */
export function areaOf(corners: readonly Corner[]): string {
  const most = Math.min(...corners.map(([, lon]) => lon)) + 360;
  const within = corners.map(([lat, lon]): Corner => [lat, Math.min(lon, most)]);
  return within
    .flatMap(([lat, lon], index): readonly Corner[] => {
      const [nextLat, nextLon] = within[(index + 1) % within.length] ?? [lat, lon];
      const parts = Math.abs(nextLon - lon) < 179 ? 1 : Math.ceil(Math.abs(nextLon - lon) / 120);
      return Array.from({ length: parts }, (_, part) => [lat + ((nextLat - lat) * part) / parts, lon + ((nextLon - lon) * part) / parts]);
    })
    .map(([lat, lon]) => `${lat.toFixed(5)},${turned(lon).toFixed(5)}`)
    .join(';');
}

/** An outline as one text, each side of it the shorter way round the world, so that an address and a file of criteria can hold it. */
export const Area = z
  .string()
  .max(MOST_CORNERS * 25)
  .refine((area) => cornersOf(area) !== undefined, 'invalid.area');

/** Squares of the map: of level L the world has 2^L by 2^L (as map tiles have them), numbered bit by bit. */
export const FINEST = 20;
const CELL = /^(\d{1,2})\.(\d{1,13})$/;
export interface Cell {
  readonly level: number;
  readonly code: number;
}
export function cellOf(name: string): Cell | undefined {
  const found = CELL.exec(name);
  if (!found) return undefined;
  const [level, code] = [Number(found[1]), Number(found[2])];
  return level <= FINEST && code < 4 ** level ? { level, code } : undefined;
}
export const CellName = z
  .string()
  .max(16)
  .refine((name) => cellOf(name) !== undefined, 'invalid.area');

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
