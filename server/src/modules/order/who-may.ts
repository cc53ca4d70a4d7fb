import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { mayDo } from '../access/api.ts';

const MOST = 50;

/** Members of an organisation who may do something. */
export async function whoMay(db: Db, can: string, path: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from account_user u where u.state = '0' and u.dept_path = ${path} and ${mayDo(can)} order by u.id limit ${MOST}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
