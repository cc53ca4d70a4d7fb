import type { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { sql } from 'kysely';
import { inGroups } from '../../engines/devices/groups.ts';
import { nextCandidates } from '../../platform/db/candidates.ts';
import type { Handler } from '../../platform/module.ts';
import { drawn } from './checked-input.ts';
import { metresOutside, shapeOf } from './shape.ts';
import { sideOf } from './stand.ts';

/** Whoever has more terminals is told of the first of them. */
const MOST = 20_000;
const BATCH = 5000;
const NAMED = 5;

interface Standing {
  readonly sn: string;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly accuracy: number | null;
  readonly shop_lat: number | null;
  readonly shop_lon: number | null;
}

/** Where terminals would stand to a fence by their own newest words. */
export const previewFence: Handler<typeof geofenceCalls.preview> = async (
  ctx,
  { deptId, audience, groupIds, deviceIds, margin, ...input },
) => {
  const place = { shape: input.shape, ...drawn(input) };
  const { dept_path: path } = await ctx.db.selectFrom('org_dept').select('dept_path').where('id', '=', deptId).executeTakeFirstOrThrow();
  const isFor = audience === 'groups' ? await inGroups(ctx.db, groupIds) : sql<boolean>`true`;
  // Those that were chosen are looked for among all, however many there are.
  const chosen = audience === 'devices' ? sql`and d.id = any(${deviceIds}::bigint[])` : sql``;
  const which = sql<boolean>`d.dept_path >= ${path} and d.dept_path < ${`${path}~`} and d.deleted_at is null ${chosen}`;
  const counted = { inside: 0, outside: 0, unknown: 0, sns: [] as string[] };
  for (let after = 0, taken = 0; taken < MOST; taken += BATCH) {
    const ids = await nextCandidates(ctx, 'device', which, after, BATCH);
    const { rows } = await sql<Standing>`
      select d.sn, p.lat, p.lon, p.accuracy, coalesce(s.lat, m.lat) as shop_lat, case when s.lat is null then m.lon else s.lon end as shop_lon
      from device d left join device_presence p on p.device_id = d.id
        left join merchant_merchant m on m.id = d.merchant_id left join merchant_shop s on s.id = d.shop_id
      where d.id = any(${ids}::bigint[]) and ${isFor} order by d.id`.execute(ctx.db);
    for (const { sn, lat, lon, accuracy, shop_lat, shop_lon } of rows) {
      const shape = shapeOf(place, shop_lat === null || shop_lon === null ? undefined : { lat: shop_lat, lon: shop_lon });
      const side = shape && lat !== null && lon !== null ? sideOf(metresOutside(shape, { lat, lon }), accuracy, margin) : undefined;
      counted[side ?? 'unknown'] += 1;
      if (side === 'outside' && counted.sns.length < NAMED) counted.sns.push(sn);
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH) return { ...counted, isAll: true };
    after = last;
  }
  return { ...counted, isAll: false };
};
