import { isDeepStrictEqual } from 'node:util';
import { policyCalls } from '@mooring/contract/account/policy-calls';
import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { eventsFrom } from '@mooring/contract/kit/state-machine';
import type { ChangeRequest, ChangeTarget, changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { changeRequestMachine } from '@mooring/contract/settings/state-machines';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { all, exact } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { administers } from '../system-settings.ts';
import type { ChangeHome } from './hold.ts';

/** What a change that nobody approved leaves behind is put in order by whose it is, in the same transaction. */
export type Undone = (ctx: Pick<Ctx, 'invalidate'>, db: Db, of: Pick<ChangeRow, 'target' | 'subject_id' | 'dept_path'>) => Promise<void>;

/** Of rows that requests are about: whoever asks for a change has the row first, so whoever ends a request takes it first too. */
export type LockSubjects = (db: Db, of: readonly Pick<ChangeRow, 'target' | 'subject_id'>[]) => Promise<void>;

/** Closed to the bound role: settings are of the installation, policies of a product line in range, keys of an organisation in range. */
export const changesWithin = (ctx: Ctx, db: Db, home: ChangeHome) =>
  db
    .selectFrom('settings_change_request as c')
    .leftJoin('org_dept as o', 'o.id', 'c.line_id')
    .selectAll('c')
    .select('o.name as line_name')
    .where('c.home', '=', home)
    .where(sql<boolean>`(c.line_id is null or (c.dept_path >= ${ctx.scope.path} and c.dept_path < ${`${ctx.scope.path}~`}))`);
export type ChangeRow = Awaited<ReturnType<ReturnType<typeof changesWithin>['executeTakeFirstOrThrow']>>;

export async function readChange(ctx: Ctx, db: Db, id: number, home: ChangeHome = 'settings'): Promise<ChangeRow> {
  const row = await changesWithin(ctx, db, home).where('c.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

/** Who could make this change: of a line its people with the permission, of the installation its administrators. */
const mayMake = (ctx: Ctx, row: ChangeRow, isAdministrator: boolean) =>
  row.line_id === null ? isAdministrator : isAllowed(ctx.actor.permissions, policyCalls.loginEdit.can);

export function changesOf(row: ChangeRow): z.input<typeof ChangeRequest>['changes'] {
  const [before, after] = [row.before, row.after] as Record<string, unknown>[];
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return [
    ...fields
      .filter((field) => !isDeepStrictEqual(before?.[field], after?.[field]))
      .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null, secret: false })),
    ...row.secrets.map((field) => ({ field, before: null, after: null, secret: true })),
  ];
}

export function shownOf(ctx: Ctx, row: ChangeRow, isAdministrator: boolean): z.input<typeof ChangeRequest> {
  const own = row.author_id === ctx.actor.userId;
  const decides = !own && row.expires_at > ctx.now() && mayMake(ctx, row, isAdministrator);
  const events = eventsFrom(changeRequestMachine, row.state);
  return {
    id: row.id,
    target: row.target as ChangeTarget,
    lineName: row.line_name,
    lineId: row.line_id,
    changes: changesOf(row),
    author: row.author_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    decidedBy: row.decided_by_name,
    decidedAt: row.decided_at,
    remark: row.remark,
    ...allowing(events.filter((event) => (event === 'withdraw' ? own : event !== 'expire' && decides))),
  };
}

export const pageChanges: Handler<typeof changeRequestCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const isAdministrator = await administers(ctx);
  return ctx.readOnly((db) =>
    page(db, changesWithin(ctx, db, 'settings').where(all(exact('c.target', criteria.target), exact('c.state', criteria.state))), {
      page: wanted,
      sorts: { createdAt: 'c.created_at' },
      id: 'c.id',
      map: (row: ChangeRow) => shownOf(ctx, row, isAdministrator),
    }),
  );
};

/** What waits for this person stands beside the menu entry. */
export const countWaiting = async (_db: Db, ctx: Ctx): Promise<number> => {
  const isAdministrator = await administers(ctx);
  const ofLines = isAllowed(ctx.actor.permissions, policyCalls.loginEdit.can);
  const { rows } = await ctx.readOnly((db) =>
    sql<{ n: number }>`select count(*)::int as n from settings_change_request
      where home = 'settings' and state = 'waiting' and author_id is distinct from ${ctx.actor.userId}
        and case when line_id is null then ${isAdministrator} else ${ofLines} and dept_path >= ${ctx.scope.path} and dept_path < ${`${ctx.scope.path}~`} end`.execute(
      db,
    ),
  );
  return rows[0]?.n ?? 0;
};
