import { FINEST } from '@mooring/contract/device/map/area';
import { type Box, type Cluster, MOST_SINGLE, type mapCalls, type PlacedTerminal } from '@mooring/contract/device/map/map-calls';
import type { DeviceStatus } from '@mooring/contract/device/schemas';
import { COUNT_CAP } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';
import { all, exact } from '../../../platform/db/criteria.ts';
import { countUpTo } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { deviceConditions } from '../device.queries.ts';
import { inRanges, KEPT_LEVEL, levelOf, type Range, rangesOf } from './squares.ts';

type Input = z.output<typeof mapCalls.view.input>;
type Criteria = Input['criteria'];
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
const isSummed = ({ status: _status, productId: _product, ...others }: Criteria) => Object.values(others).every((one) => one === undefined);

/** From the sums of the scope and what isn't added up yet. */
async function summed(ctx: Ctx, { status, productId }: Criteria, level: number, ranges?: readonly Range[]): Promise<Square[]> {
  const met = all(exact('c.status', status), exact('c.product_id', productId));
  const within = ranges ? inRanges('c.cell', ranges) : sql`true`;
  const shift = 2 * (KEPT_LEVEL - level);
  const { rows } = await sql<Square>`
    select c.cell, c.status, sum(c.n)::float8 as n, sum(c.lat)::float8 as lat, sum(c.lon)::float8 as lon from (
      select cell, product_id, status, n, lat, lon from device_map_cell where dept_path = ${ctx.scope.path} and level = ${level}
      union all
      select case when cell < 0 then -1 else cell >> ${shift}::int end, product_id, status, n, lat, lon from device_map_change
    ) c where ${within} and ${met} group by 1, 2 having sum(c.n) <> 0`.execute(ctx.db);
  return rows;
}

/** Terminals that meet the filters, as far as the map can tell them apart. */
const standing = (where: RawBuilder<boolean>) =>
  sql`from device_place w join device d on d.id = w.device_id where not w.deleted and ${where}`;

async function read(db: Db, where: RawBuilder<boolean>, level: number): Promise<{ squares: Square[]; total: number }> {
  const { rows } = await sql<Square>`
    select f.cell >> ${2 * (FINEST - level)}::int as cell, f.status, count(*)::float8 as n, sum(f.lat) * ${UNIT}::float8 as lat, sum(f.lon) * ${UNIT}::float8 as lon
    from (select w.cell, w.status, w.lat, w.lon ${standing(where)} limit ${MOST_READ}) f group by 1, 2`.execute(db);
  return { squares: rows, total: rows.reduce((sum, { n }) => sum + n, 0) };
}

async function singles(db: Db, where: RawBuilder<boolean>): Promise<PlacedTerminal[]> {
  const { rows } = await sql<PlacedTerminal>`
    select d.id, d.sn, d.name, w.status, w.lat, w.lon, w.source ${standing(where)} order by d.sn limit ${MOST_SINGLE + 1}`.execute(db);
  return rows;
}

const extentOf = (clusters: readonly Cluster[]): Box | null => {
  if (clusters.length === 0) return null;
  const [lats, lons] = [clusters.map(({ lat }) => lat), clusters.map(({ lon }) => lon)];
  return { south: Math.min(...lats), north: Math.max(...lats), west: Math.min(...lons), east: Math.max(...lons) };
};
/** Squares of which an extent is made. */
const EXTENT_LEVEL = 6;

/** Of everything, not of what is in view. */
async function figures(ctx: Ctx, criteria: Criteria, where: RawBuilder<boolean>) {
  if (isSummed(criteria)) {
    const [whole, parts] = [await summed(ctx, criteria, 0), await summed(ctx, criteria, EXTENT_LEVEL)];
    const n = (isPlaced: boolean) => whole.filter(({ cell }) => cell >= 0 === isPlaced).reduce((sum, one) => sum + one.n, 0);
    const of = (total: number) => ({ total, capped: false });
    return {
      placed: of(n(true)),
      unplaced: of(n(false)),
      extent: extentOf(
        clustersOf(
          parts.filter(({ cell }) => cell >= 0),
          EXTENT_LEVEL,
        ),
      ),
    };
  }
  const counted = async (is: RawBuilder<boolean>) => {
    const of = ctx.db.selectFrom('device_place as w').innerJoin('device as d', 'd.id', 'w.device_id').where(all(where, is));
    const total = await countUpTo(ctx.db, of, COUNT_CAP + 1);
    return { total: Math.min(total, COUNT_CAP), capped: total > COUNT_CAP };
  };
  const { squares } = await read(ctx.db, all(where, sql<boolean>`w.cell is not null`), EXTENT_LEVEL);
  return {
    placed: await counted(sql<boolean>`w.cell is not null`),
    unplaced: await counted(sql<boolean>`w.cell is null`),
    extent: extentOf(clustersOf(squares, EXTENT_LEVEL)),
  };
}

/** What stands in view, from the sums where those are kept, and from the terminals where they are few enough to be looked at. */
async function inView(ctx: Ctx, { criteria, box, zoom }: Input, where: RawBuilder<boolean>) {
  const level = levelOf(box, zoom);
  const here = all(where, inRanges('w.cell', rangesOf(box, FINEST)));
  if (isSummed(criteria)) {
    const kept = Math.min(level, KEPT_LEVEL);
    const clusters = clustersOf(await summed(ctx, criteria, kept, rangesOf(box, kept)), kept);
    const shown = sumOf(clusters);
    if (shown > MOST_SINGLE && (level === kept || shown > MOST_READ)) return { clusters, terminals: [], shown, capped: level !== kept };
  }
  const { squares, total } = await read(ctx.db, here, level);
  if (total <= MOST_SINGLE) return { clusters: [], terminals: await singles(ctx.db, here), shown: total, capped: false };
  return { clusters: clustersOf(squares, level), terminals: [], shown: total, capped: total === MOST_READ };
}

export const mapView: Handler<typeof mapCalls.view> = async (ctx, input) => {
  const { deptId } = input.criteria;
  // Said of the places too, whose index begins with the path.
  const ofDept =
    deptId === undefined ? undefined : sql<boolean>`w.dept_path in (select o.dept_path from org_dept o where ${exact('o.id', deptId)})`;
  const where = all(await deviceConditions(ctx, input.criteria), ofDept);
  return { ...(await inView(ctx, input, where)), ...(await figures(ctx, input.criteria, where)) };
};
