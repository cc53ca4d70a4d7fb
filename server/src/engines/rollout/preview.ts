import type { Delivery, TaskPreview } from '@mooring/contract/engines/rollout/schemas';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { type Aim, inReach, matching } from './match.ts';
import { ringOf } from './select-targets.ts';
import type { Weight } from './task.ts';

/** What a release would do, before it does it (design 2, "Before release"). `weigh` is the kind's rule for one version. */
export async function previewOf(
  db: Db,
  kind: string,
  aim: Aim,
  delivery: Delivery,
  weigh: (version: string | null) => Weight,
): Promise<Omit<z.input<typeof TaskPreview>, 'approval'>> {
  const condition = await matching(db, aim);
  const found = await sql<{ version: string | null; n: number; online: number }>`
    select ${aim.current} as version, count(*)::int as n, count(*) filter (where d.status = '3')::int as online
    from device d where ${condition} group by 1 order by n desc limit 200`.execute(db);
  // From the few that are busy, not from each of the many devices.
  const busy = await sql<{ n: number }>`
    select count(*)::int as n from device d where ${condition}
      and d.id in (select r.device_id from rollout_result r where r.kind = ${kind} and r.state in ('1', '2', '8'))`.execute(db);
  const rings =
    delivery.rings.length === 1
      ? []
      : (
          await sql<{ ring: number; n: number }>`
            select ${await ringOf(db, delivery.rings)} as ring, count(*)::int as n from device d where ${condition} group by 1`.execute(db)
        ).rows;
  const unknownSns = aim.scope.releaseScope === '2' ? await unknownOf(db, aim, aim.scope.sns) : [];
  const byVersion = found.rows.map((row) => ({ version: row.version, count: row.n, ...weigh(row.version) }));
  const matched = byVersion.reduce((sum, row) => sum + row.count, 0);
  const online = found.rows.reduce((sum, row) => sum + row.online, 0);
  return {
    matched,
    unknownSns,
    byVersion,
    busy: busy.rows[0]?.n ?? 0,
    online,
    bytes: byVersion.reduce((sum, row) => sum + row.bytes * row.count, 0),
    rings: delivery.rings.map((_ring, at) => (delivery.rings.length === 1 ? matched : (rings.find((row) => row.ring === at + 1)?.n ?? 0))),
    // Who is offline follows when it connects, whatever the pace.
    minutes: delivery.pacePerMinute === null ? null : Math.ceil(online / delivery.pacePerMinute),
  };
}

/** Given SNs that are no device of the product in reach; at most 200 are named. */
async function unknownOf(db: Db, aim: Aim, sns: readonly string[]): Promise<string[]> {
  const rows = await sql<{ sn: string }>`
    select s.sn from unnest(${sns}::text[]) as s(sn)
    where not exists (select from device d where d.sn = s.sn and ${inReach(aim)}) limit 200`.execute(db);
  return rows.rows.map((row) => row.sn);
}
