import { eachMenu } from '@mooring/contract/access/menus';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

const nodes = eachMenu();
const named = new Set(nodes.flatMap((node) => (node.type === 1 ? [] : [node.code])));
const platformOnly = new Set(nodes.filter((node) => node.platformOnly).map((node) => node.code));

/** What somebody holds, whatever the platform: `*` is everything, of now and of later. */
export type Held = ReadonlySet<string>;

const heldOf = (menus: readonly string[]): Held => new Set(menus.includes('*') ? ['*', ...named] : menus.filter((code) => named.has(code)));
/** Nobody gives what they don't hold. */
export const covers = (held: Held, menus: readonly string[]): boolean =>
  held.has('*') || menus.every((code) => (code === '*' ? false : !named.has(code) || held.has(code)));
export const isAdministrator = (held: Held): boolean => held.has('*');
export const hasPlatformOnly = (menus: readonly string[]): boolean => menus.some((code) => code === '*' || platformOnly.has(code));

/** The menus of several people at once, over all of their roles. */
export async function heldBy(db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> {
  const { rows } = await sql<{ user_id: number; menus: string[] }>`
    select ur.user_id, array_agg(distinct m) as menus from access_user_role ur join access_role r on r.id = ur.role_id cross join unnest(r.menus) m
    where ur.user_id = any(${[...userIds]}::bigint[]) group by 1`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row.menus]));
}
export const heldCodes = async (db: Db, userId: number): Promise<Held> => heldOf((await heldBy(db, [userId])).get(userId) ?? []);

interface Place {
  readonly path: string;
  readonly kind: string;
}
/** Type 1 belongs to platform, product lines and business units; what is the platform's never reaches a region (design 2). */
export function fitsPlace(role: { type: string; menus: readonly string[] }, place: Place): boolean {
  if (place.kind === 'organisation' && role.type === '1') return false;
  return place.kind === 'platform' || place.kind === 'productLine' || !hasPlatformOnly(role.menus);
}

/**
 * Whether these roles may be given to somebody at a place by somebody who holds this: all of their menus are held, they belong
 * to the place or above it, and are of a kind that may stand there.
 */
export async function checkGrant(db: Db, held: Held, roleIds: readonly number[], place: Place): Promise<void> {
  const roles = await db
    .selectFrom('access_role')
    .select(['id', 'type', 'category', 'menus', 'dept_path'])
    .where('id', 'in', [...roleIds])
    .execute();
  const wrong = (fault: string) => new Fault(fault, { fields: { roleIds: `fault.${fault}` } });
  if (roles.length !== new Set(roleIds).size) throw wrong('ROLE_NOT_HERE');
  for (const role of roles) {
    if (!place.path.startsWith(role.dept_path) || !fitsPlace(role, place)) throw wrong('ROLE_NOT_HERE');
    if (role.category !== '0' && !isAdministrator(held)) throw wrong('ROLE_NOT_HERE');
    if (!covers(held, role.menus)) throw wrong('ROLE_ABOVE');
  }
}

/** Replaces what somebody holds. */
export async function setRoles(db: Db, userId: number, roleIds: readonly number[]): Promise<void> {
  await db.deleteFrom('access_user_role').where('user_id', '=', userId).execute();
  const rows = [...new Set(roleIds)].map((role_id) => ({ user_id: userId, role_id }));
  if (rows.length > 0) await db.insertInto('access_user_role').values(rows).execute();
}
export async function setManaged(db: Db, userId: number, deptIds: readonly number[]): Promise<void> {
  await db.deleteFrom('access_managed_dept').where('user_id', '=', userId).execute();
  const rows = [...new Set(deptIds)].map((dept_id) => ({ user_id: userId, dept_id }));
  if (rows.length > 0) await db.insertInto('access_managed_dept').values(rows).execute();
}

/** Open consoles of these people ask anew what they may, wherever they act just now. */
export async function tellRights(db: Db, userIds: readonly number[]): Promise<void> {
  await sql`
    insert into live_touch (call_group, dept_path)
    select distinct '/sys/menus', path from (
      select u.dept_path as path from account_user u where u.id = any(${[...userIds]}::bigint[])
      union select m.path from unnest(${[...userIds]}::bigint[]) who, managed_depts(who) m
    ) paths`.execute(db);
}

/** Roles of category 1 and 2 and who holds them are nobody's business but the administrators' (design 2). */
export const hiddenHolder = sql<boolean>`exists (select from access_user_role hr join access_role h on h.id = hr.role_id where hr.user_id = u.id and h.category in ('1', '2'))`;
