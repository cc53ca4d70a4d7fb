import type { passkeyCalls } from '@mooring/contract/account/own-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { brandOf } from '../../platform/mail/mail.ts';
import type { Wire } from '../../platform/module.ts';
import { consumeTicket } from '../auth/api.ts';
import { checkMayLose, lockFactors, proved } from './mfa.ts';
import { notifyWayIn } from './notify-way-in.ts';
import { askPasskey, bindPasskey, consumePasskey, offerPasskey, relyingParty } from './passkeys.ts';
import { dropIdleRecovery, factorsOf } from './second-factor.ts';

export const offerOwnPasskey = (app: AppContext, ctx: Ctx, wire: Wire) =>
  ctx.unscoped(async (db) => {
    const user = await db
      .selectFrom('account_user')
      .select(['id', 'account', 'name'])
      .where('id', '=', ctx.actor.userId)
      .executeTakeFirst();
    if (!user) throw fault('NO_SESSION');
    return offerPasskey(db, relyingParty(app.config, wire), await brandOf(db), user);
  });

export async function addOwnPasskey(app: AppContext, ctx: Ctx, input: ParsedInputOf<typeof passkeyCalls.add>, wire: Wire): Promise<null> {
  const asked = await ctx.unscoped((db) => consumeTicket(db, 'passkeyBind', input.ticket));
  await ctx.unscoped(async (db) => {
    await lockFactors(db, ctx.actor.userId);
    await bindPasskey(db, relyingParty(app.config, wire), ctx.actor.userId, asked, input.credential, input.name);
    await db.updateTable('account_user').set({ mfa_on: true }).where('id', '=', ctx.actor.userId).execute();
    await notifyWayIn(db, ctx, 'added', 'passkey', input.name);
  });
  return null;
}

export async function deleteOwnPasskey(ctx: Ctx, id: number): Promise<null> {
  const { userId } = ctx.actor;
  await ctx.unscoped(async (db) => {
    await lockFactors(db, userId);
    const gone = await db
      .deleteFrom('account_passkey')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('name')
      .executeTakeFirst();
    if (!gone) throw fault('NOT_FOUND');
    await checkMayLose(db, ctx, (await factorsOf(db, userId)).length);
    await dropIdleRecovery(db, userId);
    await notifyWayIn(db, ctx, 'removed', 'passkey', gone.name);
    ctx.audit({ target: gone.name });
  });
  return null;
}

export const askOwnPasskey = (app: AppContext, ctx: Ctx, wire: Wire) =>
  ctx.unscoped(async (db) => {
    if (!(await factorsOf(db, ctx.actor.userId)).includes('passkey')) throw new Fault('MFA_NOT_BOUND');
    return askPasskey(db, relyingParty(app.config, wire), 'passkeyProof', ctx.actor.userId);
  });

export async function proveByPasskey(
  app: AppContext,
  ctx: Ctx,
  input: ParsedInputOf<typeof passkeyCalls.verify>,
  wire: Wire,
): Promise<null> {
  await consumePasskey(ctx, relyingParty(app.config, wire), 'passkeyProof', input.ticket, input.credential, ctx.actor.userId);
  return proved(ctx);
}
