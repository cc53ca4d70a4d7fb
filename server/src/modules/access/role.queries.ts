import { eachMenu } from '@mooring/contract/access/menus';
import type { Role } from '@mooring/contract/access/role-calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx } from '../../platform/context.ts';
import { covers, type Held, isAdministrator, rightsIn } from './held.ts';
import { unhiddenFor } from './hidden.ts';
import { roleName } from './role-name.ts';

const named = eachMenu().flatMap((node) => (node.type === 1 ? [] : [node.code]));

const heldBy = sql`from access_user_role ur join account_user u on u.id = ur.user_id where ur.role_id = r.id`;

/** How many hold it is told as their list would name them; whether anybody does, of all. */
export const selectRoles = (ctx: Pick<Ctx, 'db' | 'actor'>, held: Held) =>
  ctx.db
    .selectFrom('access_role as r')
    .innerJoin('org_dept as o', 'o.id', 'r.dept_id')
    .selectAll('r')
    .select(['o.name as dept_name', 'o.kind as dept_kind'])
    .select(sql<number>`(select count(*) ${heldBy} and ${unhiddenFor(ctx, held) ?? sql`true`})::int`.as('holders'))
    .select(sql<boolean>`exists (select ${heldBy})`.as('is_held'));
export type RoleRow = Awaited<ReturnType<ReturnType<typeof selectRoles>['executeTakeFirstOrThrow']>>;

async function isOfOrganisation({ db, scope }: Pick<Ctx, 'db' | 'scope'>): Promise<boolean> {
  const at = await db.selectFrom('org_dept').select('kind').where('dept_path', '=', scope.path).executeTakeFirst();
  return at?.kind === 'organisation';
}

/** Whether there may be roles, and holders of theirs, where the actor looks that their lists don't show. */
export const leavesOut = async (ctx: Pick<Ctx, 'db' | 'scope'>, held: Held): Promise<boolean> =>
  !isAdministrator(held) && !(await isOfOrganisation(ctx));

/** Which rows the actor sees besides what the policy shows: hidden categories, and platform roles outside of organisations. */
export async function visibleRoles(ctx: Ctx, held: Held) {
  const mine = (await isOfOrganisation(ctx)) ? sql<boolean>`r.type = '2'` : sql<boolean>`true`;
  return isAdministrator(held) ? mine : sql<boolean>`(${mine} and r.category = '0')`;
}

export const mayOnRoles = (ctx: Ctx, button: 'add' | 'update' | 'delete'): boolean =>
  ['role', 'managerRole'].some((page) => ctx.actor.permissions.has(`access:${page}:${button}`));

export const menusOfRole = (menus: readonly string[]): string[] =>
  menus.includes('*') ? named : named.filter((code) => menus.includes(code));

export const menuCountOf = (menus: readonly string[]): number => menusOfRole(menus).length;

export const roleOf =
  (ctx: Ctx, held: Held) =>
  (row: RoleRow): z.input<typeof Role> => {
    const own = !row.seeded && row.dept_path.startsWith(ctx.scope.path) && covers(held, rightsIn([row]));
    return {
      id: row.id,
      name: roleName(row.name, ctx.lang),
      remark: row.remark,
      type: row.type as '1',
      category: row.category as '0',
      platforms: row.platforms as 'centre'[],
      menuCount: menusOfRole(row.menus).length,
      seeded: row.seeded,
      deptId: row.dept_id,
      deptName: row.dept_name,
      holders: row.holders,
      revision: row.revision,
      createdAt: row.created_at,
      ...allowing([
        ...(own && mayOnRoles(ctx, 'update') ? ['update'] : []),
        ...(own && !row.is_held && mayOnRoles(ctx, 'delete') ? ['delete'] : []),
      ]),
    };
  };

export async function readRole(ctx: Ctx, held: Held, id: number): Promise<RoleRow> {
  const row = await selectRoles(ctx, held)
    .where('r.id', '=', id)
    .where(await visibleRoles(ctx, held))
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}
