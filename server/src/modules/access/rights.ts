import { eachMenu } from '@mooring/contract/access/menus';
import type { Platform } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import type { Actor, Db } from '../../platform/context.ts';

const nodes = eachMenu();

/** A role's menus are node codes; `*` holds every node. */
export const holds = (menus: readonly string[], code: string): boolean => menus.includes('*') || menus.includes(code);

/** The node codes that carry a permission: any of an `a||b`. */
export const codesWith = (can: string): string[] =>
  nodes.filter((node) => can.split('||').some((one) => node.perms.includes(one))).map((node) => node.code);

/** The platforms on which a permission can be used. */
export const platformsWith = (can: string): Platform[] => [
  ...new Set(nodes.filter((node) => can.split('||').some((one) => node.perms.includes(one))).flatMap((node) => [...node.platforms])),
];

/** Within a statement about people `u`: those who may do something, on whichever platform. */
export const mayDo = (can: string) =>
  sql<boolean>`exists (select from access_user_role ur join access_role r on r.id = ur.role_id
    where ur.user_id = u.id and r.menus && ${['*', ...codesWith(can)]}::text[])`;

/** The permission strings of the held nodes that belong to the platform. */
export function permissionsOf(menus: readonly string[], platform: Platform): ReadonlySet<string> {
  return new Set(nodes.filter((node) => node.platforms.includes(platform) && holds(menus, node.code)).flatMap((node) => node.perms));
}

const MOST_KNOWN = 1000;
const known = new Map<string, ReadonlySet<string>>();

/** The same of node codes with a space between. Each call asks it, of few sets of roles: they are remembered. */
export function rightsOf(menus: string, platform: Platform): ReadonlySet<string> {
  const key = `${platform} ${menus}`;
  const found = known.get(key) ?? permissionsOf(menus.split(' '), platform);
  if (known.size < MOST_KNOWN) known.set(key, found);
  return found;
}

/** Within a statement about a person: the node codes of all their roles on a platform, as `rightsOf` takes them. */
export const heldMenus = (userId: string, platform: string) => sql<string>`
  coalesce((select string_agg(array_to_string(r.menus, ' '), ' ' order by r.id) from access_user_role ur join access_role r on r.id = ur.role_id
    where ur.user_id = ${sql.ref(userId)} and ${sql.ref(platform)} = any(r.platforms)), '')`;

/** What the installation keeps from somebody whose real name isn't checked is taken out. */
export const without = (held: ReadonlySet<string>, withheld: readonly string[]): ReadonlySet<string> =>
  withheld.length === 0 ? held : new Set([...held].filter((one) => !withheld.includes(one)));

export async function menusOf(db: Db, userId: number, platform: Platform): Promise<string[]> {
  const rows = await sql<{ menu: string }>`
    select distinct m as menu from access_user_role ur join access_role r on r.id = ur.role_id cross join unnest(r.menus) m
    where ur.user_id = ${userId} and ${platform} = any(r.platforms)`.execute(db);
  return rows.rows.map((row) => row.menu);
}

export async function platformsOf(db: Db, userId: number): Promise<Platform[]> {
  const rows = await sql<{ platform: Platform }>`
    select distinct p as platform from access_user_role ur join access_role r on r.id = ur.role_id cross join unnest(r.platforms) p where ur.user_id = ${userId} order by p`.execute(
    db,
  );
  return rows.rows.map((row) => row.platform);
}

/** The rights that a person has now, on one platform or on both, for work done in their name; none where they or their department may no longer act. */
export async function actorOf(db: Db, userId: number, platform?: Platform): Promise<Actor | undefined> {
  const user = await db
    .selectFrom('account_user as u')
    .select(['u.id', 'u.name', 'u.dept_id', 'u.dept_path'])
    .where('u.id', '=', userId)
    .where('u.state', '=', '0')
    .where(sql<boolean>`is_dept_open(u.dept_path)`)
    .executeTakeFirst();
  if (!user) return undefined;
  const held = new Set<string>();
  for (const one of platform ? [platform] : (['centre', 'manager'] as const))
    for (const perm of permissionsOf(await menusOf(db, userId, one), one)) held.add(perm);
  const { rows } = await sql<{ withheld: string[] }>`select withheld_from(${userId}) as withheld`.execute(db);
  const permissions = without(held, rows[0]?.withheld ?? []);
  return { userId: user.id, userName: user.name, deptId: user.dept_id, deptPath: user.dept_path, permissions, sessionId: undefined };
}

/** Where somebody may act for a department now, and its path; for work that was asked for earlier. */
export async function reachOf(db: Db, userId: number, deptId: number): Promise<string | undefined> {
  const { rows } = await sql<{ path: string }>`
    select o.dept_path as path from org_dept o, account_user u where u.id = ${userId} and o.id = ${deptId}
      and ((o.dept_path >= u.dept_path and o.dept_path < u.dept_path || '~') or o.id in (select m.id from managed_depts(u.id) m))`.execute(
    db,
  );
  return rows[0]?.path;
}

/** Whether somebody may do now, for a department, what they asked for earlier. */
export const mayStill = async (db: Db, userId: number, permission: string, deptId: number): Promise<boolean> =>
  (await actorOf(db, userId))?.permissions.has(permission) === true && (await reachOf(db, userId, deptId)) !== undefined;
