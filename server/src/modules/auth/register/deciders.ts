import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import { mayDo } from '../../access/api.ts';

const MOST = 50;

/** Who may decide about something at a path: the nearest holders of the right, from there upwards. */
export async function decidersOf(db: Db, path: string, can: string): Promise<number[]> {
  const { rows } = await sql<{ id: number; dept_path: string }>`
    select u.id, u.dept_path from account_user u where u.state = '0' and u.dept_path = any(path_and_above(${path})) and ${mayDo(can)}
    order by length(u.dept_path) desc, u.id limit ${MOST}`.execute(db);
  return rows.filter((row) => row.dept_path === rows[0]?.dept_path).map((row) => row.id);
}
