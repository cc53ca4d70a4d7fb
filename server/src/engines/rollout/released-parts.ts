import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

export interface ReleasedPart {
  readonly part: string;
  /** None where it was removed. */
  readonly version: string | null;
  readonly taskId: number;
  readonly taskName: string;
  readonly content: unknown;
}

/** Of a kind that reaches a device in several parts: what the last release that succeeded left of each there. */
export async function releasedParts(db: Db, kind: string, deviceId: number): Promise<readonly ReleasedPart[]> {
  const found = await sql<ReleasedPart>`
    select distinct on (r.part) r.part, r.version, t.id as "taskId", t.name as "taskName", t.content
    from rollout_result r join rollout_task t on t.id = r.task_id
    where r.device_id = ${deviceId} and r.kind = ${kind} and r.state in ('3', '6') order by r.part, r.id desc`.execute(db);
  return found.rows;
}
