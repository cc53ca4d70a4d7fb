import { type Cell, type Corner, FINEST } from '@mooring/contract/device/map/area';
import type { Box } from '@mooring/contract/device/map/map-calls';
import { type RawBuilder, sql } from 'kysely';

/** The finest level of which sums are kept; of each second level above too. */
export const KEPT_LEVEL = 12;
export const keptLevels = [0, 2, 4, 6, 8, 10, 12] as const;
/** Squares of an answer, about. */
const MOST_SQUARES = 600;
/** Ranges by which the squares of a view are found. */
const MOST_RANGES = 24;
const EDGE = 85.05112878;

/** Where a position lies among 2^level columns and rows, as `device_cell` of the database has it. */
function columnOf(lon: number, level: number): number {
  const size = 2 ** level;
  return Math.max(0, Math.min(size - 1, Math.floor(((lon + 180) / 360) * size)));
}
function rowOf(lat: number, level: number): number {
  const size = 2 ** level;
  const sine = Math.sin((Math.max(-EDGE, Math.min(EDGE, lat)) * Math.PI) / 180);
  return Math.max(0, Math.min(size - 1, Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size)));
}
/** The bits of column and row in turn; without shifts, which end at 32 bits. */
function codeOf(column: number, row: number, level: number): number {
  let code = 0;
  for (let bit = level - 1; bit >= 0; bit -= 1) {
    const at = 2 ** bit;
    code = code * 4 + (Math.floor(row / at) % 2) * 2 + (Math.floor(column / at) % 2);
  }
  return code;
}

/** Over the date line it is two. */
export const partsOf = (box: Box): readonly Box[] =>
  box.west <= box.east
    ? [box]
    : [
        { ...box, east: 180 },
        { ...box, west: -180 },
      ];

interface Span {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
const spanOf = (box: Box, level: number): Span => ({
  left: columnOf(box.west, level),
  right: columnOf(box.east, level),
  top: rowOf(box.north, level),
  bottom: rowOf(box.south, level),
});
const sizeOf = (boxes: readonly Box[], level: number) =>
  boxes.map((box) => spanOf(box, level)).reduce((sum, one) => sum + (one.right - one.left + 1) * (one.bottom - one.top + 1), 0);

/** Squares of 64 to 128 pixels: the level of a zoom, or a coarser one where the view is large. */
export function levelOf(box: Box, zoom: number): number {
  const boxes = partsOf(box);
  let level = Math.min(FINEST, 2 * Math.floor((zoom + 2) / 2));
  while (level > 2 && sizeOf(boxes, level) > MOST_SQUARES) level -= 2;
  return level;
}

export interface Range {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}
/** Ranges of squares of a level that hold all of a view, and a little around it. */
export function rangesOf(box: Box, level: number): readonly Range[] {
  const boxes = partsOf(box);
  let at = level;
  while (at > 0 && sizeOf(boxes, at) > MOST_RANGES) at -= 1;
  const each = 4 ** (level - at);
  const ranges: Range[] = [];
  for (const { left, right, top, bottom } of boxes.map((one) => spanOf(one, at)))
    for (let row = top; row <= bottom; row += 1)
      for (let column = left; column <= right; column += 1) {
        const code = codeOf(column, row, at);
        ranges.push({ from: code * each, to: (code + 1) * each });
      }
  return ranges;
}
export const rangeOfCell = ({ level, code }: Cell): Range => {
  const each = 4 ** (FINEST - level);
  return { from: code * each, to: (code + 1) * each };
};

const turned = (lon: number) => ((((lon + 180) % 360) + 360) % 360) - 180;
/** Of corners that may go on beyond the date line. */
export const boxOfCorners = (corners: readonly Corner[]): Box => {
  const [lats, lons] = [corners.map(([lat]) => lat), corners.map(([, lon]) => lon)];
  const [south, north, least, most] = [Math.min(...lats), Math.max(...lats), Math.min(...lons), Math.max(...lons)];
  if (most - least >= 360) return { south, north, west: -180, east: 180 };
  return least >= -180 && most <= 180
    ? { south, north, west: least, east: most }
    : { south, north, west: turned(least), east: turned(most) };
};

/** Whether a column is in one of some ranges; each is found by an index. */
export const inRanges = (column: string, ranges: readonly Range[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    ranges.map(({ from, to }) => sql`(${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to})`),
    sql` or `,
  )})`;
