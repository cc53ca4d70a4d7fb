import { userMachine } from '@mooring/contract/account/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { consumeTicket, endSessionsOf, keepAdministrator, lockAdministrators } from '../auth/api.ts';

const users = statefulTable('account_user', userMachine);

/** Gives one's own account up; what it did stays in the books under its name. */
export async function cancelOwn(ctx: Ctx, account: string): Promise<null> {
  const { userId } = ctx.actor;
  await ctx.unscoped(async (db) => {
    const own = await db.selectFrom('account_user').select('account').where('id', '=', userId).executeTakeFirst();
    if (own?.account !== account) throw new Fault('BAD_INPUT', { fields: { account: 'invalid.custom' } });
    const was = await lockAdministrators(db, userId);
    await move(db, users, 'cancel', [userId], { actorId: userId, set: { cancelled_at: sql`now()` } });
    await keepAdministrator(db, was);
    await endSessionsOf(db, userId);
  });
  ctx.audit({ target: ctx.actor.userName });
  return null;
}

export async function restoreOwn(ctx: Ctx, ticket: string): Promise<null> {
  const over = () => new Fault('TICKET_OVER');
  const found = await ctx.unscoped((db) => consumeTicket(db, 'restore', ticket));
  await ctx.unscoped(async (db) => {
    if (!found?.userId) throw over();
    const which = sql`id = ${found.userId} and cancelled_at > now() - interval '30 days'`;
    const back = await move(db, users, 'restore', which, { actorId: found.userId, set: { cancelled_at: null } });
    if (back.length === 0) throw over();
  });
  return null;
}
