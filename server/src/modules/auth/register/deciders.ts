import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import { codesWith } from '../../access/api.ts';

const MOST = 50;

/** Who may decide about something at a path: the nearest holders of the right, from there upwards. */
export async function decidersOf(db: Db, path: string, can: string): Promise<number[]> {
  const { rows } = await sql<{ id: number; dept_path: string }>`
    select u.id, u.dept_path from account_user u where u.state = '0' and u.dept_path = any(path_and_above(${path})) and exists (
      select from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = u.id and r.menus && ${['*', ...codesWith(can)]}::text[])
    order by length(u.dept_path) desc, u.id limit ${MOST}`.execute(db);
  return rows.filter((row) => row.dept_path === rows[0]?.dept_path).map((row) => row.id);
}
