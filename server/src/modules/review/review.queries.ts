import type { GrantReview, reviewCalls } from '@mooring/contract/access/review-calls';
import { grantReviewMachine } from '@mooring/contract/access/state-machines';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { eventsFrom } from '@mooring/contract/kit/state-machine';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords, exact, valuesOf } from '../../platform/db/criteria.ts';
import { statefulTable } from '../../platform/db/move.ts';
import { readSetting } from '../../platform/settings.ts';
import { type Held, hiddenHolder, isAdministrator, menuCountOf, roleName } from '../access/api.ts';
import { isOnlyAdministrator } from '../auth/api.ts';

export const reviewRows = statefulTable('access_grant_review', grantReviewMachine);
export type Criteria = ParsedInputOf<typeof reviewCalls.page>['criteria'];
type Shown = z.input<typeof GrantReview>;

/** Only what still works: tokens that have ended and people who are gone hold nothing any more. */
const works = sql<boolean>`(g.state = 'withdrawn' or (coalesce(u.state, '0') not in ('cancelled', 'refused')
  and (g.kind <> 'token' or coalesce(t.expires_at, t.created_at + interval '1 year') > now())))`;

/** Under the policy: a right is reviewed where its holder belongs, a trusteeship where the organisation is that gave it. */
export const selectReviews = (db: Db) =>
  db
    .selectFrom('access_grant_review as g')
    .leftJoin('account_user as u', 'u.id', 'g.user_id')
    .leftJoin('access_role as r', (join) => join.on('g.kind', '=', 'role').onRef('r.id', '=', 'g.subject_id'))
    .leftJoin('account_api_token as t', (join) => join.on('g.kind', '=', 'token').onRef('t.id', '=', 'g.subject_id'))
    .leftJoin('org_trust as x', (join) => join.on('g.kind', '=', 'trust').onRef('x.id', '=', 'g.subject_id'))
    .leftJoin('org_dept as m', (join) => join.on('g.kind', '=', 'managed').onRef('m.id', '=', 'g.subject_id'))
    .leftJoin('org_dept as o', (join) => join.on(sql<boolean>`o.id = coalesce(u.dept_id, x.dept_id)`))
    .selectAll('g')
    .select(['u.account', 'u.name as user_name', 'u.state as user_state', 'u.last_login_at', 'o.name as dept_name'])
    .select(['r.name as role_name', 'r.menus', 'r.platforms as role_platforms', 'm.name as managed_name', 'x.trustee_id', 'x.given_by'])
    .select(['t.name as token_name', 't.scopes', 't.platforms as token_platforms', 't.platform as token_platform', 't.last_used_at'])
    .select(hiddenHolder.as('hidden'))
    .where(works);
export type ReviewRow = Awaited<ReturnType<ReturnType<typeof selectReviews>['executeTakeFirstOrThrow']>>;

export async function reviewConditions(db: Db, held: Held, of: Criteria): Promise<RawBuilder<boolean>> {
  const dept =
    of.deptId === undefined
      ? undefined
      : ((await db.selectFrom('org_dept').select('dept_path').where('id', '=', of.deptId).executeTakeFirst())?.dept_path ?? '!');
  const roleIds = valuesOf(of.roleId);
  return all(
    isAdministrator(held) ? undefined : sql<boolean>`not ${hiddenHolder}`,
    containsWords(['u.account', 'u.name'], of.text),
    exact('g.kind', of.kind),
    roleIds && sql<boolean>`(g.kind = 'role' and g.subject_id = any(${roleIds}::bigint[]))`,
    of.menu === undefined ? undefined : sql<boolean>`(${of.menu} = any(r.menus) or '*' = any(r.menus))`,
    dept === undefined ? undefined : sql<boolean>`(g.dept_path >= ${dept} and g.dept_path < ${`${dept}~`})`,
    exact('g.way', of.way),
    exact('g.state', of.state),
  );
}

/** Those who gave or decided, and trustees, may stand outside the scope: their names are asked past the policy. Hidden ones have none. */
const namesOf = (ctx: Ctx, held: Held, rows: readonly ReviewRow[]) =>
  ctx.readOnly(async (db) => {
    const people = rows.flatMap((row) => [row.granted_by, row.decided_by]).filter((id) => id !== null);
    const depts = rows.flatMap((row) => (row.trustee_id === null ? [] : [row.trustee_id]));
    const found = await sql<{ what: string; id: number; name: string }>`
      select 'user' as what, u.id, u.name from account_user u where u.id = any(${people}::bigint[]) and (${isAdministrator(held)} or not ${hiddenHolder})
      union all select 'dept', o.id, o.name from org_dept o where o.id = any(${depts}::bigint[])`.execute(db);
    return new Map(found.rows.map((row) => [`${row.what} ${row.id}`, row.name]));
  });

export const mayDecide = (ctx: Ctx): boolean =>
  ['review', 'managerReview'].some((page) => ctx.actor.permissions.has(`access:${page}:confirm`));

/** Nobody confirms their own, but the only administrator, whom nobody else could. */
export const mayConfirmOwn = async (ctx: Ctx, held: Held): Promise<boolean> =>
  isAdministrator(held) && (await ctx.readOnly((db) => isOnlyAdministrator(db, ctx.actor.userId)));

const whatOf = (row: ReviewRow, lang: string): string | null => {
  if (row.kind === 'role') return row.role_name === null ? null : roleName(row.role_name, lang);
  return row.kind === 'managed' ? row.managed_name : row.kind === 'token' ? row.token_name : row.dept_name;
};
const platformsOf = (row: ReviewRow) => {
  if (row.kind === 'role') return row.role_platforms ?? [];
  return row.kind === 'token' ? (row.token_platforms ?? [row.token_platform ?? 'centre']) : row.kind === 'trust' ? ['manager'] : [];
};
const decisions = ['confirm', 'withdraw'] as const;
const later = (at: Date, months: number): Date => {
  const due = new Date(at);
  due.setUTCMonth(due.getUTCMonth() + months);
  return due;
};

export async function shownOf(ctx: Ctx, db: Db, held: Held, rows: readonly ReviewRow[]): Promise<Shown[]> {
  const names = await namesOf(ctx, held, rows);
  const alone = rows.some((row) => row.user_id === ctx.actor.userId) && (await mayConfirmOwn(ctx, held));
  const actionsOf = (row: ReviewRow) =>
    row.user_id !== ctx.actor.userId ? decisions : alone ? decisions.filter((one) => one === 'confirm') : [];
  const { months } = await readSetting(db, 'accessReview');
  const person = (id: number | null) => (id === null ? null : (names.get(`user ${id}`) ?? null));
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as 'role',
    holder: row.user_name ?? names.get(`dept ${row.trustee_id}`) ?? '',
    account: row.account,
    userId: row.user_id,
    userState: row.user_state,
    deptName: row.dept_name ?? '',
    what: whatOf(row, ctx.lang),
    menuCount: row.menus ? menuCountOf(row.menus) : (row.scopes?.length ?? null),
    platforms: platformsOf(row) as 'centre'[],
    way: row.way as 'member',
    grantedBy: row.given_by ?? person(row.granted_by),
    grantedAt: row.granted_at,
    lastUsedAt: row.kind === 'token' ? row.last_used_at : row.last_login_at,
    state: row.state,
    dueAt: row.state === 'withdrawn' ? null : later(row.counted_from, months),
    decidedAt: row.decided_at,
    decidedBy: person(row.decided_by),
    ...allowing(mayDecide(ctx) ? actionsOf(row).filter((one) => eventsFrom(grantReviewMachine, row.state).includes(one)) : []),
  }));
}
