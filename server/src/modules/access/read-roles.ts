import { type MenuNode, menus } from '@mooring/contract/access/menus';
import type { GrantNode, roleCalls } from '@mooring/contract/access/role-calls';
import type { Platform } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import { all, contains, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { fitsPlace } from './grants.ts';
import { covers, type Held, heldNow, holdsOn, rightsIn } from './held.ts';
import { menuName, pruned } from './nav.ts';
import { menusOfRole, readRole, roleOf, selectRoles, visibleRoles } from './role.queries.ts';
import { roleName } from './role-name.ts';

const MOST = 100;

export const pageRoles: Handler<typeof roleCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const held = await heldNow(ctx);
  const query = selectRoles(ctx, held)
    .where(await visibleRoles(ctx, held))
    .where(all(contains('r.name', criteria.text), exact('r.type', criteria.type), exact('r.category', criteria.category)));
  return page(ctx.db, query, { page: wanted, sorts: { name: 'r.name', createdAt: 'r.created_at' }, id: 'r.id', map: roleOf(ctx, held) });
};

export const detailOfRole: Handler<typeof roleCalls.detail> = async (ctx, { id }) => {
  const held = await heldNow(ctx);
  const row = await readRole(ctx, held, id);
  return { ...roleOf(ctx, held)(row), menus: menusOfRole(row.menus) };
};

/** What the actor may give to somebody of a department. */
export const listRoles: Handler<typeof roleCalls.list> = async (ctx, { text, deptId, ids }) => {
  const held = await heldNow(ctx);
  const dept =
    deptId === undefined
      ? undefined
      : await ctx.db.selectFrom('org_dept').select(['dept_path as path', 'kind']).where('id', '=', deptId).executeTakeFirst();
  const rows = await selectRoles(ctx, held)
    .where(await visibleRoles(ctx, held))
    .where(all(contains('r.name', text === '' ? undefined : text), ids && sql<boolean>`r.id = any(${ids}::bigint[])`))
    .orderBy('r.seeded', 'desc')
    .orderBy('r.name')
    .limit(MOST * 2)
    .execute();
  return rows
    .filter(
      (row) =>
        ids !== undefined || (covers(held, rightsIn([row])) && (!dept || (dept.path.startsWith(row.dept_path) && fitsPlace(row, dept)))),
    )
    .slice(0, MOST)
    .map((row) => ({ id: row.id, name: roleName(row.name, ctx.lang), type: row.type as '1', deptName: row.dept_name }));
};

function grantable(nodes: readonly MenuNode[], held: Held, regional: boolean, lang: string): GrantNode[] {
  return nodes.flatMap((node) => {
    const children = grantable(node.children, held, regional, lang);
    const platforms = node.platforms.filter((platform) => node.type === 1 || holdsOn(held, platform, node.code));
    const may = node.type !== 1 && !(regional && node.platformOnly) && platforms.length > 0;
    if (node.type === 1 ? children.length === 0 : !may) return [];
    return [{ code: node.code, name: menuName(node, lang), type: node.type, platforms, children }];
  });
}
export const grantableMenus: Handler<typeof roleCalls.grantable> = async (ctx, { type }) =>
  grantable(menus, await heldNow(ctx), type === '2', ctx.lang);

export const previewRole: Handler<typeof roleCalls.preview> = async (ctx, { menus: codes, platforms }) => {
  const see = (platform: Platform) => (platforms.includes(platform) ? pruned(menus, codes, platform, ctx.lang, { withPages: true }) : []);
  return { centre: see('centre'), manager: see('manager') };
};
