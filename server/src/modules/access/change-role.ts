import { eachMenu, type MenuNode, menus } from '@mooring/contract/access/menus';
import type { roleCalls } from '@mooring/contract/access/role-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { noteGiven } from './given.ts';
import { fitsPlace, hasPlatformOnly, invalidateRights, lockRole, refusalOfRole } from './grants.ts';
import { covers, type Held, heldNow, isAdministrator, rightsIn } from './held.ts';
import { type RoleRow, readRole, roleOf } from './role.queries.ts';

type Wanted = ParsedInputOf<typeof roleCalls.add>;

/** A button works on its page, so it brings it along. */
function withPages(codes: readonly string[]): string[] {
  const wanted = new Set(codes);
  const walk = (node: MenuNode): boolean => {
    const below = node.children.map(walk).some(Boolean);
    if (node.type === 2 && below) wanted.add(node.code);
    return wanted.has(node.code) || below;
  };
  menus.forEach(walk);
  return eachMenu()
    .filter((node) => node.type !== 1 && wanted.has(node.code))
    .map((node) => node.code);
}

async function checked(ctx: Ctx, db: Db, held: Held, input: Wanted): Promise<string[]> {
  const codes = withPages(input.menus);
  const wrong = (fault: string, field: string) => new Fault(fault, { fields: { [field]: `fault.${fault}` } });
  const refused = refusalOfRole(held, { platforms: input.platforms, menus: codes });
  if (refused) throw wrong(refused.fault, refused.field);
  if (input.type === '2' && hasPlatformOnly(codes)) throw wrong('ROLE_PLATFORM_ONLY', 'menus');
  if (input.category !== '0' && (!isAdministrator(held) || input.type !== '1')) throw wrong('ROLE_KIND', 'category');
  const place = await db.selectFrom('org_dept').select(['kind', 'dept_path']).where('id', '=', ctx.scope.deptId).executeTakeFirst();
  if (!place || !fitsPlace({ type: input.type, menus: codes }, { kind: place.kind, path: place.dept_path }))
    throw wrong('ROLE_KIND', 'type');
  return codes;
}

const columns = (input: Wanted, codes: readonly string[]) => ({
  name: input.name,
  remark: input.remark,
  type: input.type,
  category: input.category,
  platforms: [...new Set(input.platforms)],
  menus: [...codes],
});
const orNameTaken = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new Fault('ROLE_NAME_TAKEN', { fields: { name: 'fault.ROLE_NAME_TAKEN' } });
    throw error;
  }
};

export const addRole: Handler<typeof roleCalls.add> = async (ctx, input) => {
  const held = await heldNow(ctx);
  const codes = await checked(ctx, ctx.db, held, input);
  const row = { ...columns(input, codes), dept_id: ctx.scope.deptId, dept_path: ctx.scope.path };
  const { id } = await orNameTaken(ctx.db.insertInto('access_role').values(row).returning('id').executeTakeFirstOrThrow());
  ctx.audit({ target: `role ${input.name}`, after: columns(input, codes) });
  return roleOf(ctx, held)(await readRole(ctx, held, id));
};

/** A role of the scope that the actor could have made: not seeded, and nothing in it that they don't hold. */
async function own(ctx: Ctx, held: Held, id: number): Promise<RoleRow> {
  const row = await readRole(ctx, held, id);
  if (row.seeded) throw new Fault('ROLE_SEEDED');
  if (!row.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  if (!covers(held, rightsIn([row]))) throw new Fault('ROLE_ABOVE');
  return row;
}

/** Its holders' open sessions follow at once: rights are read anew with each call. */
export const updateRole: Handler<typeof roleCalls.update> = async (ctx, { id, ...input }) => {
  const held = await heldNow(ctx);
  const before = await own(ctx, held, id);
  const codes = await checked(ctx, ctx.db, held, input);
  await orNameTaken(ctx.db.updateTable('access_role').set(columns(input, codes)).where('id', '=', id).execute());
  const { name, remark, type, category, platforms, menus: held_ } = before;
  ctx.audit({
    target: `role ${before.name}`,
    before: { name, remark, type, category, platforms, menus: held_ },
    after: columns(input, codes),
  });
  const gains = codes.some((code) => !held_.includes(code)) || input.platforms.some((one) => !platforms.includes(one));
  await notifyHolders(ctx, id, gains);
  return roleOf(ctx, held)(await readRole(ctx, held, id));
};

/** Holders may sit anywhere below the role's department and act for others, so it is asked past the policy. */
const notifyHolders = (ctx: Ctx, id: number, gains: boolean) =>
  ctx.unscoped(async (db) => {
    const holders = await db.selectFrom('access_user_role').select('user_id').where('role_id', '=', id).limit(5000).execute();
    const users = holders.map((one) => one.user_id);
    if (gains) await noteGiven(db, users, ctx.actor.userId, 'role');
    await invalidateRights(db, users);
  });

export const deleteRole: Handler<typeof roleCalls.delete> = async (ctx, { id }) => {
  const held = await heldNow(ctx);
  await lockRole(ctx.db, id);
  const row = await own(ctx, held, id);
  // Also holders outside of what the actor sees keep it.
  const holder = await ctx.unscoped((db) =>
    db.selectFrom('access_user_role').select('user_id').where('role_id', '=', id).limit(1).executeTakeFirst(),
  );
  if (holder) throw new Fault('ROLE_HELD');
  await ctx.db.deleteFrom('access_role').where('id', '=', id).execute();
  ctx.audit({ target: `role ${row.name}`, before: { name: row.name, menus: row.menus } });
  return null;
};
