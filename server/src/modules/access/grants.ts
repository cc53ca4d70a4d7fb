import { eachMenu } from '@mooring/contract/access/menus';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { lockSet, shareSet } from '../../platform/db/lock-set.ts';
import { covers, type Held, heldBy, heldOf, isAdministrator, type Rights, rightsIn } from './held.ts';

/*
 * Every way of giving rights passes here: roles, members, imports, invitations, registrations, single sign-on, trusteeship. Nobody gives
 * what they don't hold themselves on that platform; what is given later (an invitation, a rule) is bounded by what its giver holds then.
 */

const platformOnly = new Set(
  eachMenu()
    .filter((node) => node.platformOnly)
    .map((node) => node.code),
);
export const hasPlatformOnly = (menus: readonly string[]): boolean => menus.some((code) => code === '*' || platformOnly.has(code));

export interface GrantPlace {
  readonly path: string;
  readonly kind: string;
}
/** Type 1 belongs to platform, product lines and business units; what is the platform's never reaches a region (design 2). */
export function fitsPlace(role: { type: string; menus: readonly string[] }, place: GrantPlace): boolean {
  if (place.kind === 'organisation' && role.type === '1') return false;
  return place.kind === 'platform' || place.kind === 'productLine' || !hasPlatformOnly(role.menus);
}

/** A role that is being given isn't deleted beside it. */
const roleSet = (id: number) => `role:${id}`;
export const lockRole = (db: Db, id: number) => lockSet(db, roleSet(id));

const wrong = (fault: string) => new Fault(fault, { fields: { roleIds: `fault.${fault}` } });

/** Until the end of the transaction none of them is changed or deleted. */
async function shareRoles(db: Db, roleIds: readonly number[]): Promise<void> {
  for (const id of [...new Set(roleIds)].sort((a, b) => a - b)) await shareSet(db, roleSet(id));
}

async function rolesOf(db: Db, roleIds: readonly number[]) {
  await shareRoles(db, roleIds);
  const roles = await db
    .selectFrom('access_role')
    .select(['id', 'type', 'category', 'platforms', 'menus', 'dept_path'])
    .where('id', 'in', [...roleIds])
    .execute();
  if (roles.length !== new Set(roleIds).size) throw wrong('ROLE_NOT_HERE');
  return roles;
}
type RoleAt = Awaited<ReturnType<typeof rolesOf>>[number];

function refusal(held: Held, role: RoleAt, place: GrantPlace | undefined): 'ROLE_NOT_HERE' | 'ROLE_ABOVE' | undefined {
  if (place && (!place.path.startsWith(role.dept_path) || !fitsPlace(role, place))) return 'ROLE_NOT_HERE';
  if (role.category !== '0' && !isAdministrator(held)) return 'ROLE_NOT_HERE';
  return covers(held, rightsIn([role])) ? undefined : 'ROLE_ABOVE';
}

/**
 * Whether these roles may be given to somebody at a place by somebody who holds this: all of their menus are held, they belong
 * to the place or above it, and are of a kind that may stand there. Without a place, wherever it will be.
 */
export async function checkGrant(db: Db, held: Held, roleIds: readonly number[], place?: GrantPlace): Promise<void> {
  for (const role of await rolesOf(db, roleIds)) {
    const fault = refusal(held, role, place);
    if (fault) throw wrong(fault);
  }
}

/** Those of the roles that their giver may still give to somebody at a place; what they may not give any more is left out. Asked before they are given. */
export async function stillGiven(db: Db, giver: number | null, roleIds: readonly number[], place: GrantPlace): Promise<number[]> {
  if (giver === null || roleIds.length === 0) return [];
  await shareRoles(db, roleIds);
  const held = await heldOf(db, giver);
  const roles = await db
    .selectFrom('access_role')
    .selectAll()
    .where('id', 'in', [...roleIds])
    .execute();
  return roles.filter((role) => !refusal(held, role, place)).map((role) => role.id);
}

/**
 * Whoever lets an organisation in makes its first manager: they hold all that such a manager holds on the platform where they decide.
 * What a manager has on the organisations' own platform comes from the installation, in that one organisation.
 */
export async function checkFounding(db: Db, held: Held): Promise<void> {
  const role = await db.selectFrom('access_role').select('menus').where('code', '=', 'orgManager').executeTakeFirstOrThrow();
  if (!covers(held, rightsIn([{ platforms: ['centre'], menus: role.menus }]))) throw new Fault('FOUNDING_ABOVE');
}

/** Whether somebody holds no more than another may hand on: else they are out of the other's reach. */
export const reaches = async (db: Db, held: Held, userId: number): Promise<boolean> =>
  covers(held, (await heldBy(db, [userId])).get(userId) ?? new Set());

/**
 * Whether nothing of somebody's menus is missing from another's, wherever either holds them: enough to shut somebody out, which gives
 * nobody anything.
 */
export async function outranks(db: Db, userId: number, other: number): Promise<boolean> {
  const [mine, theirs] = await Promise.all([menusOf(db, userId), menusOf(db, other)]);
  return mine.includes('*') || theirs.every((one) => mine.includes(one));
}
const menusOf = async (db: Db, userId: number): Promise<readonly string[]> =>
  (
    await sql<{ menu: string }>`
      select distinct m as menu from access_user_role ur join access_role r on r.id = ur.role_id, unnest(r.menus) m where ur.user_id = ${userId}`.execute(
      db,
    )
  ).rows.map((row) => row.menu);

/** Roles are made and changed within what their maker holds. Answers the fault and its field. */
export function refusalOfRole(held: Held, role: Rights): { fault: 'ROLE_PLATFORM' | 'ROLE_MENU'; field: string } | undefined {
  if (!covers(held, rightsIn([{ platforms: role.platforms, menus: [] }]))) return { fault: 'ROLE_PLATFORM', field: 'platforms' };
  return covers(held, rightsIn([role])) ? undefined : { fault: 'ROLE_MENU', field: 'menus' };
}

/** How a right came to somebody; `system` is the installation itself: its first administrator, an organisation's first manager. */
export type Way = 'member' | 'import' | 'invitation' | 'approval' | 'signOn' | 'system';
export interface Given {
  readonly by: number | null;
  readonly way: Way;
}

/** Gives roles besides those that are held; who gave one first stays written. */
export async function addRoles(db: Db, userId: number, roleIds: readonly number[], { by, way }: Given): Promise<void> {
  const rows = [...new Set(roleIds)].map((role_id) => ({ user_id: userId, role_id, granted_by: by, granted_way: way }));
  if (rows.length > 0)
    await db
      .insertInto('access_user_role')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute();
}
/** Replaces what somebody holds. */
export async function setRoles(db: Db, userId: number, roleIds: readonly number[], given: Given): Promise<void> {
  await sql`delete from access_user_role where user_id = ${userId} and role_id <> all(${[...roleIds]}::bigint[])`.execute(db);
  await addRoles(db, userId, roleIds, given);
}
export const dropRoles = (db: Db, userId: number, roleIds: readonly number[]) =>
  sql`delete from access_user_role where user_id = ${userId} and role_id = any(${[...roleIds]}::bigint[])`.execute(db);

export const dropManaged = (db: Db, userId: number, deptIds: readonly number[]) =>
  sql`delete from access_managed_dept where user_id = ${userId} and dept_id = any(${[...deptIds]}::bigint[])`.execute(db);

/**
 * Who managed a department that is merged into another manages that one, in the name of whoever merges them and as far as those may give
 * it: whoever holds more keeps nothing of it. Answers whom it left out.
 */
export async function mergeManaged(db: Db, held: Held, of: { from: number; to: number; by: number }): Promise<readonly number[]> {
  const { rows } = await sql<{ user_id: number }>`
    delete from access_managed_dept where dept_id = ${of.from} returning user_id`.execute(db);
  const ids = rows.map((row) => row.user_id);
  const theirs = await heldBy(db, ids);
  const [kept, left] = [ids.filter((id) => covers(held, theirs.get(id) ?? new Set())), new Set(ids)];
  for (const id of kept) left.delete(id);
  await sql`
    insert into access_managed_dept (user_id, dept_id, granted_by) select who, ${of.to}, ${of.by} from unnest(${kept}::bigint[]) who
    on conflict do nothing`.execute(db);
  return [...left];
}

export async function setManaged(db: Db, userId: number, deptIds: readonly number[], by: number | null): Promise<void> {
  await sql`delete from access_managed_dept where user_id = ${userId} and dept_id <> all(${[...deptIds]}::bigint[])`.execute(db);
  const rows = [...new Set(deptIds)].map((dept_id) => ({ user_id: userId, dept_id, granted_by: by }));
  if (rows.length > 0)
    await db
      .insertInto('access_managed_dept')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute();
}

/** Open consoles of these people ask anew what they may, wherever they act just now. */
export async function invalidateRights(db: Db, userIds: readonly number[]): Promise<void> {
  await sql`
    insert into live_touch (call_group, dept_path)
    select distinct '/sys/menus', path from (
      select u.dept_path as path from account_user u where u.id = any(${[...userIds]}::bigint[])
      union select m.path from unnest(${[...userIds]}::bigint[]) who, managed_depts(who) m
    ) paths`.execute(db);
}
