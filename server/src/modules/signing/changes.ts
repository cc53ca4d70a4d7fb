import { isAllowed } from '@mooring/contract/kit/permission';
import { eventsFrom } from '@mooring/contract/kit/state-machine';
import { changeRequestMachine } from '@mooring/contract/settings/state-machines';
import { keyChangeCalls, keyChanges, profileChanges, type signingChanges } from '@mooring/contract/signing/change-calls';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { sql } from 'kysely';
import { allowing } from '../../platform/allowed-actions.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import { handlers, type Route } from '../../platform/module.ts';
import { approveChange, type ChangeRow, changesOf, changesWithin, type Deciding, refuseChange, withdrawChange } from '../settings/api.ts';
import { type Sight, saidIn, sightOf } from './change-sight.ts';
import { lockKeysOf } from './key.resource.ts';
import { dropUnwanted } from './key-handlers.ts';

/** Lists of products, and as what they are shown. */
const namedLists: Readonly<Record<string, string>> = { productIds: 'products', coversIds: 'covers' };
/** What is new says nothing of texts that it leaves empty; an empty list says that it is for nothing in particular. */
const isBlank = (value: unknown) => value === null || value === '';
/** Products and keys by the names that they had when it was asked for; nothing stands for what its author or its reader doesn't see, or for products that were deleted. */
function inWords(row: ChangeRow, sight: Sight) {
  const [before = {}, after = {}] = saidIn(row);
  const named = (ids: unknown) => (Array.isArray(ids) ? ids.map((id) => sight.product(id, after.productNames?.[String(id)])) : ids);
  const next = (names: unknown) =>
    Array.isArray(names) ? names.map((name, at) => sight.product(after.agreed?.productIds?.[at] ?? 0, name)) : names;
  return changesOf(row).flatMap(({ field, before: was, after: becomes }) => {
    if (field === 'productNames' || (isBlank(was) && isBlank(becomes))) return [];
    if (field === 'nextProducts') return { field, before: next(was), after: next(becomes) };
    if (field === 'signsWith')
      return { field, before: sight.key(was, before.signsWithSha256), after: sight.key(becomes, after.signsWithSha256) };
    const list = namedLists[field];
    return list ? { field: list, before: named(was), after: named(becomes) } : { field, before: was, after: becomes };
  });
}
const shown = (ctx: Ctx, row: ChangeRow, sight: Sight) => {
  const own = row.author_id === ctx.actor.userId;
  const decides = !own && row.expires_at > ctx.now() && isAllowed(ctx.actor.permissions, keyChangeCalls.approve.can);
  const events = eventsFrom(changeRequestMachine, row.state);
  const isOfKey = (keyChanges as readonly string[]).includes(row.target);
  return {
    id: row.id,
    target: row.target as (typeof signingChanges)[number],
    keyId: isOfKey ? (row.subject_id ?? 0) : null,
    profileId: isOfKey ? null : row.subject_id,
    keyName: row.subject_name,
    deptName: row.line_name,
    changes: inWords(row, sight),
    author: sight.person(row.author_id, row.author_name),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    state: row.state,
    decidedBy: sight.person(row.decided_by, row.decided_by_name),
    decidedAt: row.decided_at,
    remark: row.remark,
    ...allowing(events.filter((event) => (event === 'withdraw' ? own : event !== 'expire' && decides))),
  };
};

const ofWhat = sql`(case when c.target = any(${[...profileChanges]}::text[]) then 'profile' else 'key' end)`;
/** Who sees no keys sees nothing of requests about them. */
const seen = (ctx: Ctx) => (isAllowed(ctx.actor.permissions, signingKeyCalls.page.can) ? undefined : exact(ofWhat, 'profile'));

/** What two people do with keys and profiles: the second one's side of it. */
export function changeRoutes(app: AppContext, routes: () => readonly Route[]): Route[] {
  const deciding: Deciding<ReturnType<typeof shown>> = {
    home: 'signing',
    routes,
    shown: async (ctx, row) => shown(ctx, row, await sightOf(ctx, [row])),
    undone: dropUnwanted,
    lockSubjects: lockKeysOf,
    always: keyChangeCalls.approve.can,
  };
  return handlers(keyChangeCalls, {
    page: async (ctx, { criteria, page: wanted }) => {
      const asked = all(
        exact('c.target', criteria.target),
        exact('c.state', criteria.state),
        exact('c.subject_id', criteria.keyId),
        exact(ofWhat, criteria.of),
        // Numbers of profiles are others.
        criteria.keyId === undefined ? undefined : exact(ofWhat, 'key'),
        seen(ctx),
      );
      const found = await ctx.readOnly((db) =>
        page(db, changesWithin(ctx, db, 'signing').where(asked), {
          page: wanted,
          sorts: { createdAt: 'c.created_at' },
          id: 'c.id',
          map: (row: ChangeRow) => row,
        }),
      );
      const sight = await sightOf(ctx, found.content);
      return { ...found, content: found.content.map((row) => shown(ctx, row, sight)) };
    },
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
