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

/** The corners of `52.1,13.2;52.3,13.2;52.3,13.6`; nothing where it is no outline. */
export function cornersOf(area: string): readonly Corner[] | undefined {
  const corners = area.split(';').map(cornerOf);
  const found = corners.filter((corner) => corner !== undefined);
  return found.length === corners.length && found.length >= 3 && found.length <= MOST_CORNERS ? found : undefined;
}
export const areaOf = (corners: readonly Corner[]): string => corners.map(([lat, lon]) => `${lat.toFixed(5)},${lon.toFixed(5)}`).join(';');

/** An outline as one text, so that an address and a file of criteria can hold it. */
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
