import { isAllowed } from '@mooring/contract/kit/permission';
import { eventsFrom } from '@mooring/contract/kit/state-machine';
import { changeRequestMachine } from '@mooring/contract/settings/state-machines';
import { keyChangeCalls, type keyChanges } from '@mooring/contract/signing/change-calls';
import { sql } from 'kysely';
import { allowing } from '../../platform/allowed-actions.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import { handlers, type Route } from '../../platform/module.ts';
import { approveChange, type ChangeRow, changesOf, changesWithin, type Deciding, refuseChange, withdrawChange } from '../settings/api.ts';
import { lockKeys } from './key.resource.ts';
import { dropUnwanted } from './key-handlers.ts';

/** Products by the names that they had when it was asked for; nothing stands for one that its author doesn't see, or that was deleted before. */
function inWords(row: ChangeRow) {
  const { productNames = {} } = row.after as { productNames?: Readonly<Record<string, string>> };
  const named = (ids: unknown) => (Array.isArray(ids) ? ids.map((id) => productNames[String(id)] ?? null) : ids);
  return changesOf(row).flatMap(({ field, before, after }) => {
    if (field === 'productNames') return [];
    return field === 'productIds' ? { field: 'products', before: named(before), after: named(after) } : { field, before, after };
  });
}

const shown = (ctx: Ctx, row: ChangeRow) => {
  const own = row.author_id === ctx.actor.userId;
  const decides = !own && row.expires_at > ctx.now() && isAllowed(ctx.actor.permissions, keyChangeCalls.approve.can);
  const events = eventsFrom(changeRequestMachine, row.state);
  return {
    id: row.id,
    target: row.target as (typeof keyChanges)[number],
    keyId: row.subject_id ?? 0,
    keyName: row.subject_name,
    deptName: row.line_name,
    changes: inWords(row),
    author: row.author_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    decidedBy: row.decided_by_name,
    decidedAt: row.decided_at,
    remark: row.remark,
    ...allowing(events.filter((event) => (event === 'withdraw' ? own : event !== 'expire' && decides))),
  };
};

/** What two people do with keys: the second one's side of it. */
export function changeRoutes(app: AppContext, routes: () => readonly Route[]): Route[] {
  const deciding: Deciding<ReturnType<typeof shown>> = {
    home: 'signing',
    routes,
    shown,
    undone: dropUnwanted,
    lockSubjects: lockKeys,
    always: keyChangeCalls.approve.can,
  };
  return handlers(keyChangeCalls, {
    page: (ctx, { criteria, page: wanted }) =>
      ctx.readOnly((db) => {
        const asked = all(exact('c.target', criteria.target), exact('c.state', criteria.state), exact('c.subject_id', criteria.keyId));
        return page(db, changesWithin(ctx, db, 'signing').where(asked), {
          page: wanted,
          sorts: { createdAt: 'c.created_at' },
          id: 'c.id',
          map: (row: ChangeRow) => shown(ctx, row),
        });
      }),
    approve: approveChange(app, deciding),
    refuse: refuseChange(deciding),
    withdraw: withdrawChange(deciding),
  });
}

/** Of others, in this scope. */
export const countKeyChanges = async (_db: Db, ctx: Ctx): Promise<number> => {
  const { path } = ctx.scope;
  const { rows } = await ctx.readOnly((db) =>
    sql<{ n: number }>`select count(*)::int as n from settings_change_request where home = 'signing' and state = 'waiting'
      and author_id is distinct from ${ctx.actor.userId} and dept_path >= ${path} and dept_path < ${`${path}~`}`.execute(db),
  );
  return rows[0]?.n ?? 0;
};
