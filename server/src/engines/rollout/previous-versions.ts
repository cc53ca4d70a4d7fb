import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { all, exact } from '../../platform/db/criteria.ts';
import { ownTask } from './task-row.ts';

const SHOWN = 20;

interface Of {
  readonly id: number;
  readonly ring?: number | undefined;
  readonly deviceId?: number | undefined;
}
/** What the updated terminals of a release ran before it; of all, of a ring, or of one. */
export async function previousVersions(ctx: Ctx, kind: TaskKind, { id, ring, deviceId }: Of) {
  const { product_id: productId, subject } = await ownTask(ctx, kind, id);
  const rows = await sql<{ version: string; count: number; package_id: number | null }>`
    select v.version, v.n as count, f.id as package_id from (
      select from_version as version, count(*)::int as n from rollout_result
      where ${all(sql<boolean>`task_id = ${id}`, exact('ring', ring), exact('device_id', deviceId))} and state in ('3', '6') and from_version is not null group by 1 order by 2 desc limit ${SHOWN}
    ) v left join rollout_package f on f.product_id = ${productId} and f.content = ${kind.kind} and f.name = ${subject} and f.version = v.version and f.kind = 'TA' and f.publish_state in ('1', '3') and f.deleted_at is null
    order by v.n desc, v.version`.execute(ctx.db);
  return rows.rows.map((row) => ({ version: row.version, count: row.count, packageId: row.package_id }));
}
