import type { Member } from '@mooring/contract/account/member-calls';
import { userMachine } from '@mooring/contract/account/state-machines';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { eventsFrom } from '@mooring/contract/kit/state-machine';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords, exact } from '../../platform/db/criteria.ts';
import { statefulTable } from '../../platform/db/move.ts';
import { covers, type Held, heldBy, heldNow, hiddenHolder, isAdministrator, outranks, reaches, roleName } from '../access/api.ts';
import { waitsOf } from '../auth/api.ts';

export const userRows = statefulTable('account_user', userMachine);
export type Button = 'add' | 'update' | 'state' | 'secure' | 'audit' | 'export';

export const mayOnMembers = (ctx: Ctx, button: Button): boolean =>
  ['member', 'managerMember'].some((page) => ctx.actor.permissions.has(`access:${page}:${button}`));

const namesOf = (from: RawBuilder<unknown>) =>
  sql<
    { id: number; name: string }[]
  >`coalesce((select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name) order by x.name) from ${from}), '[]')`;

export const selectMembers = (db: Db) =>
  db
    .selectFrom('account_user as u')
    .innerJoin('org_dept as o', 'o.id', 'u.dept_id')
    .select([
      'u.id',
      'u.account',
      'u.name',
      'u.email',
      'u.mobile',
      'u.dept_id',
      'u.dept_path',
      'u.user_type',
      'u.category',
      'u.state',
      'u.locked_until',
      'u.last_login_at',
      'u.created_at',
      'u.revision',
      'u.language',
      'o.name as dept_name',
      'o.kind as dept_kind',
      'o.state as dept_state',
    ])
    .select(namesOf(sql`access_user_role ur join access_role x on x.id = ur.role_id where ur.user_id = u.id`).as('roles'));
export type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>;

export interface Criteria {
  readonly text?: string | undefined;
  readonly deptId?: number | undefined;
  readonly state?: string | { in: string[] } | undefined;
  readonly roleId?: number | { in: number[] } | undefined;
  readonly userType?: '1' | '2' | { in: ('1' | '2')[] } | undefined;
}

/** What of the scope's people the actor sees, and what they asked for. */
export async function memberConditions(db: Db, held: Held, of: Criteria): Promise<RawBuilder<boolean>> {
  const dept =
    of.deptId === undefined
      ? undefined
      : await db.selectFrom('org_dept').select('dept_path').where('id', '=', of.deptId).executeTakeFirst();
  const roleIds = of.roleId === undefined ? undefined : typeof of.roleId === 'number' ? [of.roleId] : of.roleId.in;
  return all(
    isAdministrator(held) ? undefined : sql<boolean>`not ${hiddenHolder}`,
    containsWords(['u.account', 'u.name', 'u.email'], of.text),
    of.deptId === undefined
      ? undefined
      : dept
        ? sql<boolean>`(u.dept_path >= ${dept.dept_path} and u.dept_path < ${`${dept.dept_path}~`})`
        : sql<boolean>`false`,
    exact('u.state', of.state),
    exact('u.user_type', of.userType),
    roleIds && sql<boolean>`exists (select from access_user_role fr where fr.user_id = u.id and fr.role_id = any(${roleIds}::bigint[]))`,
  );
}

/** Second factors are closed to the bound role. */
const boundAmong = (ctx: Ctx, ids: readonly number[]): Promise<ReadonlySet<number>> =>
  ctx.unscoped(async (db) => {
    const { rows } = await sql<{ user_id: number }>`
      select user_id from account_totp where bound_at is not null and user_id = any(${[...ids]}::bigint[])
      union select user_id from account_passkey where user_id = any(${[...ids]}::bigint[])`.execute(db);
    return new Set(rows.map((row) => row.user_id));
  });

/** Came with an organisation that nobody has decided about: they come in, or stay out, with it. */
export const waitsWithDept = (row: Pick<MemberRow, 'dept_state'>): boolean => row.dept_state === 'applied' || row.dept_state === 'refused';

function actionsOf(ctx: Ctx, row: MemberRow, above: boolean, bound: boolean, waits: boolean): string[] {
  if (row.id === ctx.actor.userId || above) return [];
  const events: readonly string[] = eventsFrom(userMachine, row.state);
  const locked = row.locked_until !== null;
  const statefulTable = row.state === '0' || row.state === '1';
  return [
    ...(statefulTable && mayOnMembers(ctx, 'update') ? ['update'] : []),
    ...(mayOnMembers(ctx, 'state') && events.includes('disable') ? ['disable'] : []),
    ...(mayOnMembers(ctx, 'state') && events.includes('enable') ? [locked ? 'unlock' : 'enable'] : []),
    ...(waits && !locked && mayOnMembers(ctx, 'state') ? ['unlock'] : []),
    ...(statefulTable && mayOnMembers(ctx, 'secure') ? ['resetPassword', ...(bound ? ['unbindMfa'] : [])] : []),
    ...(mayOnMembers(ctx, 'audit') && !waitsWithDept(row) ? ['approve', 'refuse'].filter((one) => events.includes(one)) : []),
  ];
}

export async function membersOf(ctx: Ctx, db: Db, held: Held, rows: readonly MemberRow[]): Promise<z.input<typeof Member>[]> {
  const ids = rows.map((row) => row.id);
  const [theirs, bound, waits] = [await heldBy(db, ids), await boundAmong(ctx, ids), await ctx.readOnly((all) => waitsOf(all, ids))];
  return rows.map((row) => ({
    id: row.id,
    account: row.account,
    userName: row.name,
    email: row.email,
    deptId: row.dept_id,
    deptName: row.dept_name,
    userType: row.user_type as '1',
    userCategory: row.category as '0',
    state: row.state,
    lockedUntil: row.locked_until ?? waits.get(row.id) ?? null,
    roles: row.roles.map((one) => ({ ...one, name: roleName(one.name, ctx.lang) })),
    mfaBound: bound.has(row.id),
    lastLoginAt: row.last_login_at,
    revision: row.revision,
    createdAt: row.created_at,
    ...allowing(actionsOf(ctx, row, !covers(held, theirs.get(row.id) ?? new Set()), bound.has(row.id), waits.has(row.id))),
  }));
}

export interface Reached {
  readonly row: MemberRow;
  readonly held: Held;
}
/** A person of the scope, as far as the actor sees them. */
export async function findMember(ctx: Ctx, db: Db, id: number): Promise<Reached> {
  const held = await heldNow(ctx);
  const row = await selectMembers(db)
    .where('u.id', '=', id)
    .where(await memberConditions(db, held, {}))
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return { row, held };
}
/** One whom the actor may act on: not themselves, and nobody who holds more. To shut somebody out, their menus say who that is. */
export async function reachMember(ctx: Ctx, db: Db, id: number, to?: 'shutOut'): Promise<Reached> {
  const found = await findMember(ctx, db, id);
  if (id === ctx.actor.userId) throw new Fault('MEMBER_SELF');
  if (to === 'shutOut' && !ctx.actor.apiToken && (await ctx.readOnly((all) => outranks(all, ctx.actor.userId, id)))) return found;
  if (!(await ctx.readOnly((all) => reaches(all, found.held, id)))) throw new Fault('MEMBER_ABOVE');
  return found;
}
export async function showMember(ctx: Ctx, db: Db, id: number): Promise<z.input<typeof Member>> {
  const { row, held } = await findMember(ctx, db, id);
  const [shown] = await membersOf(ctx, db, held, [row]);
  if (!shown) throw fault('NOT_FOUND');
  return shown;
}
