import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { DeptAt } from './add-dept.ts';

/**
 * Open departments as sheets name them: by name, in small letters, where the scope has just one of that name, or by number. What is the number
 * of one and the name of another is neither.
 */
export async function deptsByName(ctx: Ctx, db: Db, names: readonly string[]): Promise<ReadonlyMap<string, DeptAt | 'many'>> {
  const { path } = ctx.scope;
  const { rows } = await sql<{ id: number; name: string; path: string }>`
    select id, lower(name) as name, dept_path as path from org_dept
    where dept_path >= ${path} and dept_path < ${`${path}~`} and state = 'enabled'
      and (lower(name) = any(${names.map((name) => name.toLowerCase())}::text[]) or id::text = any(${[...names]}::text[]))
    order by id`.execute(db);
  const found = new Map<string, DeptAt | 'many'>();
  const keys = rows.flatMap(({ id, name, path: at }) => [...new Set([name, String(id)])].map((key) => ({ key, dept: { id, path: at } })));
  for (const { key, dept } of keys) found.set(key, found.has(key) ? 'many' : dept);
  return found;
}
