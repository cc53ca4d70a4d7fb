import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { codesWith } from '../access/api.ts';

const MOST = 50;

/** Of people `u`: those who may do something. */
export const mayDo = (can: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from access_user_role ur join access_role r on r.id = ur.role_id
    where ur.user_id = u.id and r.menus && ${['*', ...codesWith(can)]}::text[])`;

/** Members of an organisation who may do something. */
export async function whoMay(db: Db, can: string, path: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from account_user u where u.state = '0' and u.dept_path = ${path} and ${mayDo(can)} order by u.id limit ${MOST}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
