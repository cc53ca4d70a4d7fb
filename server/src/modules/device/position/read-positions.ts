import {
  MOST_DRAWN,
  type nowhereReasons,
  type PositionSource,
  positionCalls,
  type TrackPoint,
} from '@mooring/contract/device/position/position-calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { all, range } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { rowExporter } from '../../../platform/work/row-exporter.ts';

type Source = z.infer<typeof PositionSource>;
const isAssumed = (source: string | null) => source === 'shop' || source === 'merchant';

/** The newest word of a terminal; of one that says nothing, the place of its shop. */
export const positionDetail: Handler<typeof positionCalls.detail> = async (ctx, { id }) => {
  const { rows } = await sql<{
    lat: number | null;
    lon: number | null;
    accuracy: number | null;
    source: Source | null;
    at: Date | null;
    shop: string | null;
    merchant: string | null;
    told_lat: number | null;
    told_lon: number | null;
    told_accuracy: number | null;
    told_source: Source | null;
    told_at: Date | null;
    seen_at: Date | null;
  }>`
    select w.lat, w.lon, w.accuracy, w.source, w.at, s.name as shop, m.name as merchant, p.seen_at,
      p.lat as told_lat, p.lon as told_lon, p.accuracy as told_accuracy, coalesce(p.position_source, 'unknown') as told_source, p.positioned_at as told_at
    from device d join device_place w on w.device_id = d.id left join device_presence p on p.device_id = d.id
    left join merchant_merchant m on m.id = d.merchant_id left join merchant_shop s on s.id = d.shop_id where d.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw fault('NOT_FOUND');
  // Its newest word is one of all four; what the map keeps of it may be older.
  const { told_lat, told_lon, told_source, told_at } = row;
  if (told_lat !== null && told_lon !== null && told_source !== null && told_at !== null)
    return {
      now: { lat: told_lat, lon: told_lon, accuracy: row.told_accuracy, source: told_source, at: told_at, placeName: null },
      nowhere: null,
    };
  const { lat, lon, source } = row;
  if (lat === null || lon === null || source === null) {
    const reason: (typeof nowhereReasons)[number] = row.merchant ? 'shopWithout' : row.seen_at ? 'notTold' : 'neverSeen';
    return { now: null, nowhere: reason };
  }
  if (!isAssumed(source)) return { now: { lat, lon, accuracy: row.accuracy, source, at: row.at, placeName: null }, nowhere: null };
  return { now: { lat, lon, accuracy: null, source, at: null, placeName: source === 'shop' ? row.shop : row.merchant }, nowhere: null };
};

const trackPoint = ({
  at,
  lat,
  lon,
  accuracy,
  source,
}: {
  at: Date;
  lat: number;
  lon: number;
  accuracy: number | null;
  source: string;
}): z.input<typeof TrackPoint> => ({ id: at.getTime(), at, lat, lon, accuracy, source: source as Source });

/** Of many points as many as can be drawn, the first and the last among them. */
export const positionWay: Handler<typeof positionCalls.way> = async (ctx, { id, from, to }) => {
  const { rows } = await sql<{ at: Date; lat: number; lon: number; accuracy: number | null; source: Source; total: number }>`
    with found as (
      select at, lat, lon, accuracy, source, row_number() over (order by at) as place, count(*) over () as total
      from device_track where device_id = ${id} and at >= ${from} and at <= ${to}
    )
    select at, lat, lon, accuracy, source, total::int from found
    where place = total or (place - 1) % ceil(total / ${MOST_DRAWN}::float8)::bigint = 0 order by at`.execute(ctx.db);
  return { points: rows.map(trackPoint), total: rows[0]?.total ?? 0 };
};

export const pageTrack: Handler<typeof positionCalls.track> = async (ctx, { criteria: { deviceId, at }, page: wanted }) =>
  page(
    ctx.db,
    ctx.db
      .selectFrom('device_track as t')
      .select(['t.at', 't.lat', 't.lon', 't.accuracy', 't.source'])
      // Whose terminal it is no longer sees nothing of it, whatever was kept in their time.
      .where(
        all(
          sql<boolean>`t.device_id = ${deviceId ?? 0}`,
          range('t.at', at),
          sql<boolean>`exists (select from device d where d.id = ${deviceId ?? 0})`,
        ),
      ),
    { page: wanted, sorts: { at: 't.at' }, id: 't.device_id', map: trackPoint },
  );

export const trackExporter = rowExporter(positionCalls.track, positionCalls.exportTrack, {
  title: 'work.export.track',
  page: pageTrack,
  sort: 'at',
  columns: {
    at: 'position.at',
    lat: 'merchant.lat',
    lon: 'merchant.lon',
    accuracy: 'position.accuracy',
    source: ['position.source', 'position.source.'],
  },
});
