import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Terminals that go into other hands keep nothing that their former organisation gave for them alone. */
export async function dropOwnLevels(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await sql`delete from paramfile_level where device_id = any(${ids}::bigint[])`.execute(db);
}

/** What is given for one terminal alone counts for the one in its place from now on, and what was given for that one doesn't any more. */
export async function handOverLevels(
  db: Db,
  from: number,
  to: { readonly id: number; readonly deptId: number; readonly path: string },
): Promise<void> {
  await dropOwnLevels(db, [to.id]);
  await sql`update paramfile_level set device_id = ${to.id}, dept_id = ${to.deptId}, dept_path = ${to.path} where device_id = ${from}`.execute(
    db,
  );
}
