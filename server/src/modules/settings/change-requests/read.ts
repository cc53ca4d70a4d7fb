import { isDeepStrictEqual } from 'node:util';
import { policyCalls } from '@mooring/contract/account/policy-calls';
import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { ChangeRequest, ChangeTarget, changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { changeRequestLife } from '@mooring/contract/settings/lives';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';
import { all, exact } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { offersOf } from '../../../platform/offers.ts';

/** Closed to the bound role: settings are of the installation, policies of a product line in range. */
const within = (ctx: Ctx, db: Db) =>
  db
    .selectFrom('settings_change_request as c')
    .leftJoin('org_dept as o', 'o.id', 'c.line_id')
    .selectAll('c')
    .select('o.name as line_name')
    .where(sql<boolean>`(c.line_id is null or (c.dept_path >= ${ctx.scope.path} and c.dept_path < ${`${ctx.scope.path}~`}))`);
export type ChangeRow = Awaited<ReturnType<ReturnType<typeof within>['executeTakeFirstOrThrow']>>;

export async function readChange(ctx: Ctx, db: Db, id: number): Promise<ChangeRow> {
  const row = await within(ctx, db).where('c.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

const canOf = (row: ChangeRow) => (row.line_id === null ? systemSettingCalls.mail.can : policyCalls.loginEdit.can);

function changesOf(row: ChangeRow): z.input<typeof ChangeRequest>['changes'] {
  const [before, after] = [row.before, row.after] as Record<string, unknown>[];
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return [
    ...fields
      .filter((field) => !isDeepStrictEqual(before?.[field], after?.[field]))
      .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null, secret: false })),
    ...row.secrets.map((field) => ({ field, before: null, after: null, secret: true })),
  ];
}

export function shownOf(ctx: Ctx, row: ChangeRow): z.input<typeof ChangeRequest> {
  const can = canOf(row);
  const own = row.author_id === ctx.actor.userId;
  const open = row.expires_at > ctx.now() && isAllowed(ctx.actor.permissions, can);
  return {
    id: row.id,
    target: row.target as ChangeTarget,
    lineName: row.line_name,
    changes: changesOf(row),
    author: row.author_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    decidedBy: row.decided_by_name,
    decidedAt: row.decided_at,
    remark: row.remark,
    offers: offersOf(changeRequestLife, row.state, ctx.actor, own ? { withdraw: can } : open ? { approve: can, refuse: can } : {}),
  };
}

export const pageChanges: Handler<typeof changeRequestCalls.page> = (ctx, { criteria, page: wanted }) =>
  ctx.look((db) =>
    page(db, within(ctx, db).where(all(exact('c.target', criteria.target), exact('c.state', criteria.state))), {
      page: wanted,
      sorts: { createdAt: 'c.created_at' },
      id: 'c.id',
      map: (row: ChangeRow) => shownOf(ctx, row),
    }),
  );

/** What waits for others than its author stands beside the menu entry. */
export const countWaiting = async (_db: Db, ctx: Ctx): Promise<number> => {
  const { rows } = await ctx.look((db) =>
    sql<{ n: number }>`select count(*)::int as n from settings_change_request
      where state = 'waiting' and author_id is distinct from ${ctx.actor.userId}
        and (line_id is null or (dept_path >= ${ctx.scope.path} and dept_path < ${`${ctx.scope.path}~`}))`.execute(db),
  );
  return rows[0]?.n ?? 0;
};
