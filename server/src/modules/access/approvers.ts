import type { ApproverRole } from '@mooring/contract/engines/approval/steps';
import type { Platform } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { pathsAbove } from '../../platform/paths-above.ts';
import { heldOf, isAdministrator } from './held.ts';
import { hiddenHolder } from './hidden.ts';
import { codesWith, platformsWith } from './rights.ts';

const isRole = (text: string): text is ApproverRole => ['1', '2', '3', 'customer'].includes(text);

/** What somebody's roles approve as, on one platform or on any. */
export async function approvesAs(db: Db, userId: number, platform?: Platform): Promise<ReadonlySet<ApproverRole>> {
  const { rows } = await sql<{ role: string }>`
    select distinct r.approves_as as role from access_user_role ur join access_role r on r.id = ur.role_id
    where ur.user_id = ${userId} and r.approves_as is not null and (${platform ?? null}::text is null or ${platform ?? null} = any(r.platforms))`.execute(
    db,
  );
  return new Set(rows.map((row) => row.role).filter(isRole));
}

export interface Approver {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly language: string | null;
  readonly time_zone: string | null;
  readonly dept_path: string;
}
const MOST = 200;

/** Who approves as something: at or above one of the paths, or below where they are asked too; the nearest first. */
export async function approversAt(db: Db, role: ApproverRole, paths: readonly string[], below: boolean): Promise<Approver[]> {
  if (paths.length === 0) return [];
  const above = [...new Set(paths.flatMap(pathsAbove))];
  const inside = sql.join(
    paths.map((path) => sql`(u.dept_path >= ${path} and u.dept_path < ${`${path}~`})`),
    sql` or `,
  );
  const place = below ? sql`(u.dept_path = any(${above}::text[]) or ${inside})` : sql`u.dept_path = any(${above}::text[])`;
  const { rows } = await sql<Approver>`
    select u.id, u.name, u.email, u.language, u.time_zone, u.dept_path from account_user u
    where u.state = '0' and is_dept_open(u.dept_path) and ${place}
      and exists (select from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = u.id and r.approves_as = ${role})
    order by length(u.dept_path) desc, u.id limit ${MOST}`.execute(db);
  return rows;
}

/** Whether somebody `user` may use a permission by one of their roles: where it stands, and not while it is withheld from them. */
const holds = (user: string, can: string) => sql<boolean>`(exists (
  select from access_user_role hr join access_role h on h.id = hr.role_id
  where hr.user_id = ${sql.ref(user)} and h.menus && ${['*', ...codesWith(can)]}::text[] and h.platforms && ${platformsWith(can)}::text[])
  and not ${can} = any(withheld_from(${sql.ref(user)})))`;

/** Who holds a permission at or above a path; the nearest first. */
export async function holdersAbove(db: Db, can: string, path: string): Promise<Approver[]> {
  const { rows } = await sql<Approver>`
    select u.id, u.name, u.email, u.language, u.time_zone, u.dept_path from account_user u
    where u.state = '0' and is_dept_open(u.dept_path) and u.dept_path = any(${pathsAbove(path)}::text[]) and ${holds('u.id', can)}
    order by length(u.dept_path) desc, u.id limit ${MOST}`.execute(db);
  return rows;
}

/** Whether somebody decides anything at all: by a role that approves, or by one of these permissions. */
export async function approves(db: Db, userId: number, cans: readonly string[]): Promise<boolean> {
  if ((await approvesAs(db, userId)).size > 0) return true;
  if (cans.length === 0) return false;
  const { rows } = await sql`select from account_user u where u.id = ${userId} and (${sql.join(
    cans.map((can) => holds('u.id', can)),
    sql` or `,
  )})`.execute(db);
  return rows.length > 0;
}

interface Colleagues {
  /** Permissions by which people decide, besides roles that approve. */
  readonly cans: readonly string[];
  readonly text?: string | undefined;
}
/**
 * People of somebody's own organisation who share with them a role that approves, or a permission to decide, and may sign in; by a part of their name.
 * Who is hidden from them is none of the latter.
 */
export async function colleaguesApproving(
  db: Db,
  userId: number,
  { cans, text = '' }: Colleagues,
): Promise<{ id: number; name: string }[]> {
  const mine = sql`select m.approves_as from access_user_role mr join access_role m on m.id = mr.role_id where mr.user_id = me.id and m.approves_as is not null`;
  const seen = isAdministrator(await heldOf(db, userId)) ? sql`true` : sql`not ${hiddenHolder}`;
  const shared = cans.map((can) => sql` or (${holds('me.id', can)} and ${holds('u.id', can)} and ${seen})`);
  const { rows } = await sql<{ id: number; name: string }>`
    select u.id, u.name from account_user me join account_user u on u.dept_path = me.dept_path
    where me.id = ${userId} and u.id <> me.id and u.state = '0' and is_dept_open(u.dept_path)
      and (${text} = '' or position(lower(${text}) in lower(u.name)) > 0)
      and (exists (select from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = u.id and r.approves_as in (${mine}))
        ${sql.join(shared, sql``)})
    order by u.name, u.id limit ${MOST}`.execute(db);
  return rows;
}
