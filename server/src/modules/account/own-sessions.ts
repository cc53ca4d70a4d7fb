import type { sessionCalls } from '@mooring/contract/account/own-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { endSession, policiesAt } from '../auth/api.ts';

interface Row {
  id: number;
  platform: 'centre' | 'manager';
  ip: string;
  user_agent: string;
  created_at: Date;
  seen_at: Date;
}

/** Sessions are closed to persons' transactions; these are one's own. */
export async function ownSessions(ctx: Ctx): Promise<OutputOf<typeof sessionCalls.list>> {
  const { rows } = await ctx.unscoped(async (db) => {
    const { login } = await policiesAt(db, ctx.actor.deptPath);
    return sql<Row>`select id, platform, ip, user_agent, created_at, seen_at from auth_session
      where user_id = ${ctx.actor.userId} and ended_at is null and expires_at > now() and seen_at > now() - make_interval(mins => ${login.idleMinutes})
      order by seen_at desc limit 200`.execute(db);
  });
  return rows.map((row) => ({
    id: row.id,
    platform: row.platform,
    ip: row.ip,
    agent: row.user_agent,
    createdAt: row.created_at as never,
    seenAt: row.seen_at as never,
    own: row.id === ctx.actor.sessionId,
  }));
}

export async function endOwn(ctx: Ctx, id: number): Promise<null> {
  await ctx.unscoped(async (db) => {
    const found = await db
      .selectFrom('auth_session')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', ctx.actor.userId)
      .executeTakeFirst();
    if (!found) throw fault('NOT_FOUND');
    await endSession(db, id);
  });
  return null;
}
