import type { Session } from '@mooring/contract/auth/calls';
import type { Platform } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { platformsOf } from '../access/api.ts';
import { openSession } from './sessions.ts';

/** The token of the other platform without a new sign-in; this one stays for the tabs that use it. */
export async function cross(ctx: Ctx, platform: Platform, userAgent: string): Promise<Session> {
  return ctx.unscoped(async (db) => {
    const platforms = await platformsOf(db, ctx.actor.userId);
    if (!platforms.includes(platform)) throw new Fault('PLATFORM_NOT_ALLOWED', { code: 403 });
    const { sessionId } = ctx.actor;
    const own =
      sessionId === undefined
        ? undefined
        : await db.selectFrom('auth_session').select('proved_at').where('id', '=', sessionId).executeTakeFirst();
    const token = await openSession(db, ctx.actor.userId, platform, ctx.ip, userAgent, {
      provedAt: own?.proved_at ?? null,
      ...(sessionId === undefined ? {} : { from: sessionId }),
    });
    return { token, platform, passwordChange: false, mfa: null, restore: null };
  });
}
