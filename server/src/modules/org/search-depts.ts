import type { DeptBrief } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { all, contains } from '../../platform/db/criteria.ts';

const MOST = 50;

/** Departments at or below `path`, for pickers. */
export async function searchDepts(db: Db, path: string, text: string, ids: readonly number[] | undefined): Promise<DeptBrief[]> {
  let query = db
    .selectFrom('org_dept')
    .select(['id', 'name', 'kind', 'dept_path', 'parent_id'])
    .where('dept_path', '>=', path)
    .where('dept_path', '<', `${path}~`)
    .where(sql<boolean>`is_dept_open(dept_path)`)
    .where(all(contains('name', text === '' ? undefined : text)));
  if (ids) query = query.where('id', 'in', ids.length > 0 ? [...ids] : [0]);
  const rows = await query
    .orderBy('dept_path')
    .limit(ids?.length || MOST)
    .execute();
  return rows.map((row) => ({ id: row.id, name: row.name, kind: row.kind, path: row.dept_path, parentId: row.parent_id }));
}
