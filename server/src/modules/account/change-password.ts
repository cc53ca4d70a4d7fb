import type { userCalls } from '@mooring/contract/account/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { checkPassword, endSessionsOf, policiesAt } from '../auth/api.ts';
import { endTokensOf } from './api-tokens.ts';
import { boundTries, forgetTries } from './mfa.ts';
import { checkNewPassword, notifyPasswordChanged, prepareNewPassword } from './set-password.ts';

/** Ends every other session of the person (design 5, "Sessions"). */
export async function changePassword(ctx: Ctx, input: ParsedInputOf<typeof userCalls.password>): Promise<null> {
  const found = await ctx.unscoped(async (db) => {
    const user = await db
      .selectFrom('account_user')
      .select(['id', 'account', 'email', 'password_hash', 'dept_path', 'language', 'time_zone'])
      .where('id', '=', ctx.actor.userId)
      .executeTakeFirst();
    return user && { user, policies: await policiesAt(db, user.dept_path) };
  });
  if (!found) throw fault('NO_SESSION');
  const { user, policies } = found;
  await checkNewPassword(input.newPassword, user, policies);
  await boundTries(ctx);
  const present = await checkPassword(user.password_hash, input.password);
  if (!present.ok) throw new Fault('PASSWORD_WRONG', { fields: { password: 'fault.PASSWORD_WRONG' } });
  if (input.newPassword === input.password) throw new Fault('PASSWORD_SAME', { fields: { newPassword: 'fault.PASSWORD_SAME' } });
  const write = await prepareNewPassword(ctx.unscoped, user, input.newPassword, policies);
  const revoked = await ctx.unscoped(async (db) => {
    await write(db);
    await endSessionsOf(db, user.id, ctx.actor.sessionId);
    await notifyPasswordChanged(db, user, ctx.ip, ctx.now());
    return endTokensOf(db, user.id, input.tokens, ctx.now());
  });
  await forgetTries(ctx);
  ctx.audit({ target: user.account, ...(revoked.length > 0 ? { after: { revoked } } : {}) });
  return null;
}
