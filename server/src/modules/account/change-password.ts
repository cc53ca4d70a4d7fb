import type { userCalls } from '@mooring/contract/account/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { checkPassword as checkRules, defaultPasswordRules } from '@mooring/contract/shared/password';
import type { Ctx } from '../../platform/context.ts';
import { checkPassword, endSessionsOf, hashPassword } from '../auth/api.ts';

const faultOfProblem: Record<string, string> = { account: 'PASSWORD_IS_ACCOUNT', email: 'PASSWORD_IS_EMAIL' };

/** Ends every other session of the person (design 5, "Sessions"). */
export async function changePassword(ctx: Ctx, input: ParsedInputOf<typeof userCalls.password>): Promise<null> {
  const user = await ctx.unscoped((db) =>
    db.selectFrom('account_user').select(['id', 'account', 'email', 'password_hash']).where('id', '=', ctx.actor.userId).executeTakeFirst(),
  );
  if (!user) throw fault('NO_SESSION');
  const verdict = checkRules(input.newPassword, defaultPasswordRules, { account: user.account, email: user.email ?? '' });
  const problem = verdict.problems[0];
  if (problem)
    throw new Fault(faultOfProblem[problem] ?? 'PASSWORD_WEAK', {
      fields: { newPassword: `fault.${faultOfProblem[problem] ?? 'PASSWORD_WEAK'}` },
    });
  const present = await checkPassword(user.password_hash, input.password);
  if (!present.ok) throw new Fault('PASSWORD_WRONG', { fields: { password: 'fault.PASSWORD_WRONG' } });
  if (input.newPassword === input.password) throw new Fault('PASSWORD_SAME', { fields: { newPassword: 'fault.PASSWORD_SAME' } });
  const hash = await hashPassword(input.newPassword);
  await ctx.unscoped(async (db) => {
    await db
      .updateTable('account_user')
      .set({ password_hash: hash, password_at: ctx.now(), password_initial: false })
      .where('id', '=', user.id)
      .execute();
    await endSessionsOf(db, user.id, ctx.actor.sessionId);
  });
  ctx.audit({ target: user.account });
  return null;
}
