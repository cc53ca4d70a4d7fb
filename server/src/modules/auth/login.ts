import type { loginCalls, Session } from '@mooring/contract/auth/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { platformsOf } from '../access/api.ts';
import { attemptsOf, forgetFailures, noteFailure } from './attempts.ts';
import { takeCaptcha } from './captcha.ts';
import { checkPassword, hashPassword } from './password-hash.ts';
import { openSession } from './sessions.ts';

type Input = ParsedInputOf<typeof loginCalls.account>;

const byAccount = (db: Db, account: string) =>
  db
    .selectFrom('account_user as u')
    .innerJoin('org_dept as d', 'd.id', 'u.dept_id')
    .select(['u.id', 'u.name', 'u.dept_path', 'u.password_hash', 'u.password_initial', 'u.state', 'd.state as dept_state'])
    .where((eb) => eb.or([eb(sql`lower(u.account)`, '=', account.toLowerCase()), eb(sql`lower(u.email)`, '=', account.toLowerCase())]))
    .limit(1)
    .executeTakeFirst();

/** Signs in. The same answer and a similar time for an unknown account, a wrong password and a disabled one. */
export async function login(ctx: Ctx, input: Input, userAgent: string): Promise<Session> {
  const before = await ctx.unscoped((db) => attemptsOf(db, input.account, ctx.ip));
  if (before.waitSeconds > 0) throw fault('TOO_MANY', { seconds: before.waitSeconds });
  if (before.captcha) {
    const { captcha } = input;
    if (!captcha) throw new Fault('CAPTCHA_REQUIRED');
    if (!(await ctx.unscoped((db) => takeCaptcha(db, captcha.id, captcha.code)))) throw new Fault('CAPTCHA_WRONG');
  }
  const user = await ctx.unscoped((db) => byAccount(db, input.account));
  const { ok, outdated } = await checkPassword(user?.password_hash, input.password);
  const enabled = user?.state === '0' && user.dept_state === 'enabled';
  const platforms = user && ok && enabled ? await ctx.unscoped((db) => platformsOf(db, user.id)) : [];
  const platform = platforms.includes(input.platform) ? input.platform : platforms[0];
  if (!user || !ok || !enabled || !platform) {
    await ctx.unscoped((db) => noteFailure(db, input.account, ctx.ip));
    const after = await ctx.unscoped((db) => attemptsOf(db, input.account, ctx.ip));
    ctx.audit({ target: input.account, after: { signedIn: false } });
    throw new Fault('LOGIN_FAILED', { fields: after.captcha ? { captcha: 'fault.CAPTCHA_REQUIRED' } : {} });
  }
  const rehashed = outdated ? await hashPassword(input.password) : undefined;
  ctx.audit({ target: user.name, after: { signedIn: true } });
  return ctx.unscoped(async (db) => {
    await forgetFailures(db, input.account, ctx.ip);
    await db
      .updateTable('account_user')
      .set({ last_login_at: ctx.now(), ...(rehashed ? { password_hash: rehashed } : {}) })
      .where('id', '=', user.id)
      .execute();
    return { token: await openSession(db, user.id, platform, ctx.ip, userAgent), platform, passwordChange: user.password_initial };
  });
}
