import { sql } from 'kysely';
import { inGroups } from '../../engines/devices/groups.ts';
import type { Db } from '../../platform/context.ts';

/** A terminal, and a fence that is for groups. */
export interface OfGroups {
  readonly fence_id: number;
  readonly device_id: number;
  readonly group_ids: readonly (string | number)[];
}
export const pairOf = (deviceId: number, fenceId: number): string => `${deviceId} ${fenceId}`;

/** Which of these terminals are in the groups of their fences now. */
export async function withinGroups(db: Db, rows: readonly OfGroups[]): Promise<ReadonlySet<string>> {
  const within = new Set<string>();
  for (const [fenceId, list] of Map.groupBy(rows, (one) => one.fence_id)) {
    const isIn = await inGroups(db, (list[0]?.group_ids ?? []).map(Number));
    const ids = list.map((one) => one.device_id);
    const { rows: found } = await sql<{ id: number }>`select d.id from device d where d.id = any(${ids}::bigint[]) and ${isIn}`.execute(db);
    for (const { id } of found) within.add(pairOf(id, fenceId));
  }
  return within;
}
