import { type OnlineUser, onlineCalls } from '@mooring/contract/access/online-calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { unhidden } from '../access/api.ts';
import { endSession } from './sessions.ts';

/** Without a sign of life for this long a session isn't called online, though it may still be gone on with. */
const ALIVE_MINUTES = 15;

/** Sessions are closed to the bound role: the range is added here. */
const live = (db: Db, path: string) =>
  db
    .selectFrom('auth_session as s')
    .innerJoin('account_user as u', 'u.id', 's.user_id')
    .innerJoin('org_dept as o', 'o.id', 'u.dept_id')
    .select([
      's.id',
      's.user_id',
      'u.name',
      'u.account',
      'o.name as dept_name',
      's.platform',
      's.ip',
      's.user_agent',
      's.created_at',
      's.seen_at',
    ])
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', sql<Date>`now()`)
    .where('u.dept_path', '>=', path)
    .where('u.dept_path', '<', `${path}~`);
type Row = Awaited<ReturnType<ReturnType<typeof live>['executeTakeFirstOrThrow']>>;

const onlineOf =
  (ctx: Ctx) =>
  (row: Row): z.input<typeof OnlineUser> => {
    const own = row.id === ctx.actor.sessionId;
    return {
      id: row.id,
      userId: row.user_id,
      name: row.name,
      account: row.account,
      deptName: row.dept_name,
      platform: row.platform,
      ip: row.ip,
      userAgent: row.user_agent,
      since: row.created_at,
      seenAt: row.seen_at,
      own,
      ...allowing(own ? [] : allowedActions(ctx, { end: onlineCalls.end })),
    };
  };

export const pageOnline: Handler<typeof onlineCalls.list> = async (ctx, { criteria, page: wanted }) => {
  const seen = await unhidden(ctx);
  return ctx.unscoped((db) => {
    const query = live(db, ctx.scope.path).where(
      all(
        seen,
        sql<boolean>`s.seen_at > now() - make_interval(mins => ${ALIVE_MINUTES})`,
        containsWords(['u.name', 'u.account'], criteria.text),
        exact('s.platform', criteria.platform),
      ),
    );
    return page(db, query, { page: wanted, sorts: { seenAt: 's.seen_at' }, id: 's.id', map: onlineOf(ctx) });
  });
};

export const endOnline: Handler<typeof onlineCalls.end> = async (ctx, { id }) => {
  const seen = await unhidden(ctx);
  return ctx.unscoped(async (db) => {
    const row = await live(db, ctx.scope.path).where('s.id', '=', id).where(all(seen)).executeTakeFirst();
    if (!row || row.id === ctx.actor.sessionId) throw fault('NOT_FOUND');
    await endSession(db, id);
    ctx.audit({ target: `session of ${row.account}` });
    return null;
  });
};
