import type { Footprint, footprintCalls } from '@mooring/contract/audit-log/calls';
import { outcomeOf } from '@mooring/contract/audit-log/outcome';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { all, exact, range } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import { type Handler, job } from '../../platform/module.ts';

import { checkSeen } from '../access/api.ts';
import { namedAct } from './page-logs.ts';

const KEEP_DAYS = 90;

interface Step {
  readonly id: number;
  readonly at: Date;
  readonly kind: string;
  readonly what: string;
  readonly target: string | null;
  readonly platform: string | null;
  readonly result: string | null;
  readonly input: unknown;
  readonly after: unknown;
}

/** Four kinds of trace as one list; ids stay apart by their remainder. */
const stepsOf = (userId: number): RawBuilder<Step> => sql<Step>`(
  select id * 4 as id, created_at as at, 'signIn' as kind, ip as what, user_agent as target, platform, null::text as result, null::jsonb as input, null::jsonb as after from auth_session where user_id = ${userId}
  union all
  select id * 4 + 1, ended_at, 'signOut', ip, null, platform, null, null, null from auth_session where user_id = ${userId} and ended_at is not null
  union all
  select id * 4 + 2, at, 'visit', path, null, platform, null, null, null from audit_visit where user_id = ${userId}
  union all
  select id * 4 + 3, at, 'act', call, target, platform, result, input, after from audit_entry where actor_id = ${userId} and call not like '/sys/login/%'
)`;

const shown = ({ input, after, ...row }: Step): z.input<typeof Footprint> => {
  const { result, what: call, platform } = row;
  const act = result === null ? null : { call, result, platform, input, after };
  return { ...row, kind: row.kind as 'act', action: act && namedAct(act), outcome: act && outcomeOf(act) };
};

/** `userId` was resolved under the policy before; sessions are closed to the bound role, so the rest is read past it. */
export const pageFootprint: Handler<typeof footprintCalls.page> = async (ctx, { criteria, page: wanted }) => {
  // Nobody asked for: nobody's steps.
  const { userId = 0, kind, at } = criteria;
  if (userId !== 0) await checkSeen(ctx, userId);
  return ctx.unscoped((db: Db) => {
    const query = db
      .selectFrom(stepsOf(userId).as('s'))
      .selectAll()
      .where(all(exact('s.kind', kind), range('s.at', at)));
    return page(db, query, {
      page: wanted,
      sorts: { at: 's.at' },
      id: 's.id',
      map: shown,
    });
  });
};

export const noteVisit: Handler<typeof footprintCalls.visit> = async (ctx, { path }) => {
  await ctx.db
    .insertInto('audit_visit')
    .values({ user_id: ctx.actor.userId, path, platform: ctx.scope.platform, dept_path: ctx.scope.path })
    .execute();
  return null;
};

/** Nightly: visits of three months ago and older. */
export const forgetVisits = job({
  name: 'audit:forget-visits',
  payload: z.object({}),
  every: '47 3 * * *',
  run: (ctx) =>
    ctx.unscoped(
      async (db) =>
        void (await sql`delete from audit_visit where at < ${ctx.now()}::timestamptz - make_interval(days => ${KEEP_DAYS})`.execute(db)),
    ),
});
