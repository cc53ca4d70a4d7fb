import { cellOf, cornersOf, FINEST } from '@mooring/contract/device/map/area';
import { type RawBuilder, sql } from 'kysely';
import { boxOfCorners, inRanges, rangeOfCell, rangesOf } from './squares.ts';

interface OnMap {
  readonly area?: string | undefined;
  readonly cell?: string | undefined;
  readonly placed?: boolean | undefined;
  /** The first day. */
  readonly failedSince?: string | undefined;
}
const standing = (condition: RawBuilder<boolean>) =>
  sql<boolean>`d.id in (select w.device_id from device_place w where w.cell is not null and ${condition})`;

/** The corners lie in one go, so an outline across the date line holds places one turn of the world further on. */
function inArea(area: string): RawBuilder<boolean> {
  const corners = cornersOf(area) ?? [];
  const outline = `(${corners.map(([lat, lon]) => `(${lon},${lat})`).join(',')})`;
  const [least, most] = [Math.min(...corners.map(([, lon]) => lon)), Math.max(...corners.map(([, lon]) => lon))];
  const turns = [0, ...(most > 180 ? [360] : []), ...(least < -180 ? [-360] : [])];
  const within = sql.join(
    turns.map((turn) => sql`${outline}::polygon @> point(w.lon + ${turn}::float8, w.lat)`),
    sql` or `,
  );
  return standing(sql<boolean>`${inRanges('w.cell', rangesOf(boxOfCorners(corners), FINEST))} and (${within})`);
}
function inCell(name: string): RawBuilder<boolean> {
  const cell = cellOf(name);
  return cell ? standing(inRanges('w.cell', [rangeOfCell(cell)])) : sql<boolean>`false`;
}

function failing(since: string, name: string | undefined): RawBuilder<boolean> {
  const cell = name === undefined ? undefined : cellOf(name);
  const there = cell ? sql`and ${inRanges('f.cell', [rangeOfCell(cell)])}` : sql``;
  return sql<boolean>`d.id in (select f.device_id from device_failure f where f.day >= ${since}::date ${there})`;
}

/** Conditions of the lists on where devices `d` stand. */
export function onMap({ area, cell, placed, failedSince }: OnMap): readonly RawBuilder<boolean>[] {
  const found: RawBuilder<boolean>[] = [];
  if (area !== undefined) found.push(inArea(area));
  if (failedSince !== undefined) found.push(failing(failedSince, cell));
  else if (cell !== undefined) found.push(inCell(cell));
  if (placed === true) found.push(standing(sql<boolean>`true`));
  if (placed === false) found.push(sql<boolean>`d.id in (select w.device_id from device_place w where w.cell is null)`);
  return found;
}
