import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

export type DeptKind = 'platform' | 'productLine' | 'businessUnit' | 'organisation';
export interface DeptAt {
  readonly id: number;
  readonly path: string;
}

/** A department below its parent; its path ends with its own id, so that a subtree is one range of paths. */
export async function addDept(
  db: Db,
  dept: { kind: DeptKind; name: string; parent: DeptAt | undefined; timeZone?: string },
): Promise<DeptAt> {
  const next = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('org_dept', 'id')) as id`.execute(db);
  const id = next.rows[0]?.id ?? 0;
  const path = `${dept.parent?.path ?? ''}${id}.`;
  await db
    .insertInto('org_dept')
    .values({
      id,
      parent_id: dept.parent?.id ?? null,
      dept_path: path,
      kind: dept.kind,
      name: dept.name,
      time_zone: dept.timeZone ?? 'UTC',
    })
    .execute();
  return { id, path };
}
