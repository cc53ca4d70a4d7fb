import { boxOfCell, FINEST } from '@mooring/contract/device/map/area';
import { type Box, type Cluster, MOST_SINGLE, type mapCalls, type PlacedTerminal } from '@mooring/contract/device/map/map-calls';
import type { DeviceStatus } from '@mooring/contract/device/schemas';
import { COUNT_CAP } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';
import { atOrBelow, pathBelow } from '../../../platform/db/below.ts';
import { all, exact } from '../../../platform/db/criteria.ts';
import { countUpTo } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { deviceConditions } from '../device.queries.ts';
import { inRanges, KEPT_LEVEL, levelOf, type Range, rangesOf } from './squares.ts';

type Criteria = z.output<typeof mapCalls.view.input>['criteria'];
/** Terminals that are looked at one by one for an answer; of more, those of the sums. */
const MOST_READ = 50_000;
const UNIT = 1e5;

interface Square {
  readonly cell: number;
  readonly status: z.infer<typeof DeviceStatus>;
  readonly n: number;
  readonly lat: number;
  readonly lon: number;
}

/** One for each square, whatever its terminals' states; in its middle by weight. */
function clustersOf(squares: readonly Square[], level: number): Cluster[] {
  const found = new Map<number, { n: number; lat: number; lon: number; byStatus: Cluster['byStatus'] }>();
  for (const { cell, status, n, lat, lon } of squares) {
    const one = found.get(cell) ?? { n: 0, lat: 0, lon: 0, byStatus: {} };
    one.n += n;
    one.lat += lat;
    one.lon += lon;
    if (n > 0) one.byStatus[status] = (one.byStatus[status] ?? 0) + n;
    found.set(cell, one);
  }
  return [...found]
    .filter(([, { n }]) => n > 0)
    .map(([cell, { n, lat, lon, byStatus }]) => ({
      cell: `${level}.${cell}`,
      lat: lat / n / UNIT,
      lon: lon / n / UNIT,
      count: n,
      byStatus,
    }))
    .sort((a, b) => b.count - a.count);
}
const sumOf = (clusters: readonly Cluster[]) => clusters.reduce((sum, { count }) => sum + count, 0);

/** Of these filters sums are kept. */
const isSummed = ({ status: _status, productId: _product, below: _below, ...others }: Criteria) =>
  Object.values(others).every((one) => one === undefined);

/** From the sums of the scope, or of an organisation in it, and what isn't added up yet. */
async function summed(ctx: Ctx, { status, productId, below }: Criteria, level: number, ranges?: readonly Range[]): Promise<Square[]> {
  const met = all(exact('c.status', status), exact('c.product_id', productId));
  const within = ranges ? inRanges('c.cell', ranges) : sql`true`;
  const path = await pathBelow(ctx, below);
  if (path === undefined) return [];
  const shift = 2 * (KEPT_LEVEL - level);
  const { rows } = await sql<Square>`
    select c.cell, c.status, sum(c.n)::float8 as n, sum(c.lat)::float8 as lat, sum(c.lon)::float8 as lon from (
      select cell, product_id, status, n, lat, lon from device_map_cell where dept_path = ${path} and level = ${level}
      union all
      select case when cell < 0 then -1 else cell >> ${shift}::int end, product_id, status, n, lat, lon from device_map_change where ${atOrBelow('dept_path', path)}
    ) c where ${within} and ${met} group by 1, 2 having sum(c.n) <> 0`.execute(ctx.db);
  return rows;
}

/** Terminals that meet the filters, as far as the map can tell them apart: of the places alone where they know all that is asked. */
interface Standing {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<boolean>;
}
async function standingOf(ctx: Ctx, criteria: Criteria): Promise<Standing> {
  const { deptId, status, productId, below } = criteria;
  const isThere = sql<boolean>`not w.deleted`;
  const isBelow = below === undefined ? undefined : atOrBelow('w.dept_path', await pathBelow(ctx, below));
  if (isSummed(criteria))
    return { from: sql`device_place w`, where: all(isThere, isBelow, exact('w.status', status), exact('w.product_id', productId)) };
  // Said of the places too, whose index begins with the path.
  const ofDept =
    deptId === undefined ? undefined : sql<boolean>`w.dept_path in (select o.dept_path from org_dept o where ${exact('o.id', deptId)})`;
  return {
    from: sql`device_place w join device d on d.id = w.device_id`,
    where: all(isThere, isBelow, await deviceConditions(ctx, criteria), ofDept),
  };
}

async function read(db: Db, { from, where }: Standing, level: number): Promise<{ squares: Square[]; total: number }> {
  const { rows } = await sql<Square>`
    select f.cell >> ${2 * (FINEST - level)}::int as cell, f.status, count(*)::float8 as n, sum(f.lat) * ${UNIT}::float8 as lat, sum(f.lon) * ${UNIT}::float8 as lon
    from (select w.cell, w.status, w.lat, w.lon from ${from} where ${where} limit ${MOST_READ}) f group by 1, 2`.execute(db);
  return { squares: rows, total: rows.reduce((sum, { n }) => sum + n, 0) };
}

async function singles(db: Db, { from, where }: Standing): Promise<PlacedTerminal[]> {
  const { rows } = await sql<PlacedTerminal>`
    select t.id, t.sn, t.name, f.status, f.lat, f.lon, f.source
    from (select w.device_id, w.status, w.lat, w.lon, w.source from ${from} where ${where} limit ${MOST_SINGLE + 1}) f join device t on t.id = f.device_id
    order by t.sn`.execute(db);
  return rows;
}

/** The edges of squares; of one that holds a single terminal, its place. */
function extentOf(clusters: readonly Cluster[]): Box | null {
  const boxes = clusters.map(({ count, cell, lat, lon }) => {
    const exactly = { south: lat, north: lat, west: lon, east: lon };
    return count === 1 ? exactly : (boxOfCell(cell) ?? exactly);
  });
  let [whole, ...others] = boxes;
  for (const one of others)
    if (whole)
      whole = {
        south: Math.min(whole.south, one.south),
        north: Math.max(whole.north, one.north),
        west: Math.min(whole.west, one.west),
        east: Math.max(whole.east, one.east),
      };
  return whole ?? null;
}
/** Squares of which an extent is made: coarse ones, and where those are few, finer ones. */
const [COARSE, FINE] = [6, 10] as const;
const FEW = 16;

async function summedExtent(ctx: Ctx, criteria: Criteria): Promise<Box | null> {
  const at = async (level: number) =>
    clustersOf(
      (await summed(ctx, criteria, level)).filter(({ cell }) => cell >= 0),
      level,
    );
  const coarse = await at(COARSE);
  return extentOf(coarse.length > FEW ? coarse : await at(FINE));
}

async function readExtent(db: Db, { from, where }: Standing): Promise<Box | null> {
  const { rows } = await sql<Record<keyof Box, number | null>>`
    select min(lat) as south, min(lon) as west, max(lat) as north, max(lon) as east
    from (select w.lat, w.lon from ${from} where ${where} and w.cell is not null limit ${MOST_READ}) f`.execute(db);
  const { south, west, north, east } = rows[0] ?? { south: null, west: null, north: null, east: null };
  return south === null || west === null || north === null || east === null ? null : { south, west, north, east };
}

/** Of everything, not of what is in view. */
export const mapFigures: Handler<typeof mapCalls.figures> = async (ctx, { criteria }) => {
  if (isSummed(criteria)) {
    const whole = await summed(ctx, criteria, 0);
    const n = (isPlaced: boolean) => whole.filter(({ cell }) => cell >= 0 === isPlaced).reduce((sum, one) => sum + one.n, 0);
    const of = (total: number) => ({ total, capped: false });
    return { placed: of(n(true)), unplaced: of(n(false)), extent: await summedExtent(ctx, criteria) };
  }
  const standing = await standingOf(ctx, criteria);
  const counted = async (is: RawBuilder<boolean>) => {
    const of = ctx.db.selectFrom('device_place as w').innerJoin('device as d', 'd.id', 'w.device_id').where(all(standing.where, is));
    const total = await countUpTo(ctx.db, of, COUNT_CAP + 1);
    return { total: Math.min(total, COUNT_CAP), capped: total > COUNT_CAP };
  };
  return {
    placed: await counted(sql<boolean>`w.cell is not null`),
    unplaced: await counted(sql<boolean>`w.cell is null`),
    extent: await readExtent(ctx.db, standing),
  };
};

/** What is asked for reaches a little around the view; its marks within are counted. */
function within({ south, west, north, east }: Box) {
  const isAcross = west > east;
  return ({ lat, lon }: { lat: number; lon: number }) =>
    lat >= south && lat <= north && (isAcross ? lon >= west || lon <= east : lon >= west && lon <= east);
}

/** What stands in view, from the sums where those are kept, and from the terminals where they are few enough to be looked at. */
export const mapView: Handler<typeof mapCalls.view> = async (ctx, { criteria, box, zoom }) => {
  const level = levelOf(box, zoom);
  const isHere = within(box);
  const drawn = (clusters: Cluster[], capped: boolean) => ({ clusters, terminals: [], shown: sumOf(clusters.filter(isHere)), capped });
  if (isSummed(criteria)) {
    const kept = Math.min(level, KEPT_LEVEL);
    const clusters = clustersOf(await summed(ctx, criteria, kept, rangesOf(box, kept)), kept);
    const n = sumOf(clusters);
    if (n > MOST_SINGLE && (level === kept || n > MOST_READ)) return drawn(clusters, level !== kept);
  }
  const standing = await standingOf(ctx, criteria);
  const here = { ...standing, where: all(standing.where, inRanges('w.cell', rangesOf(box, FINEST))) };
  const { squares, total } = await read(ctx.db, here, level);
  if (total > MOST_SINGLE) return drawn(clustersOf(squares, level), total === MOST_READ);
  const terminals = await singles(ctx.db, here);
  return { clusters: [], terminals, shown: terminals.filter(isHere).length, capped: false };
};
