import type { loginCalls, Session } from '@mooring/contract/auth/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { checkPassword as checkRules } from '@mooring/contract/shared/password';
import type { Ctx } from '../../platform/context.ts';
import { attemptsOf, noteFailure, whoOf } from './attempts.ts';
import { takeCaptcha } from './captcha.ts';
import { byAccount, type DoorUser } from './find-user.ts';
import { admitted, checkDoor, finishSignIn, offerRestore } from './finish.ts';
import { lockAfterTries } from './lock.ts';
import { checkPassword, hashPassword } from './password-hash.ts';
import type { Policies } from './policies.ts';

type Input = ParsedInputOf<typeof loginCalls.account>;

/** Notes a wrong try; the last one that the policy allows locks the account. Answers whether a captcha is asked for next. */
export async function noteWrong(ctx: Ctx, user: DoorUser | undefined, typed: string, policies: Policies): Promise<boolean> {
  const { login } = policies;
  const who = whoOf(user?.id, typed);
  await ctx.unscoped((db) => noteFailure(db, who, ctx.ip, login));
  const after = await ctx.unscoped((db) => attemptsOf(db, who, ctx.ip, login));
  if (user?.state === '0' && after.failures >= login.maxTries)
    await ctx.unscoped((db) => lockAfterTries(db, user, login.lockMinutes, ctx.ip, ctx.now()));
  return after.captcha;
}

/** Signs in. The same answer and a similar time for an unknown account, a wrong password and a disabled one. */
export async function login(ctx: Ctx, input: Input, userAgent: string): Promise<Session> {
  const user = await ctx.unscoped((db) => byAccount(db, input.account));
  const { policies, captcha } = await checkDoor(ctx, user, input.account);
  if (captcha) {
    const shown = input.captcha;
    if (!shown) throw new Fault('CAPTCHA_REQUIRED');
    if (!(await ctx.unscoped((db) => takeCaptcha(db, shown.id, shown.code)))) throw new Fault('CAPTCHA_WRONG');
  }
  const { ok, outdated } = await checkPassword(user?.password_hash, input.password);
  const known = user && ok ? await ctx.unscoped((db) => admitted(db, user, ctx.now())) : undefined;
  if (known) {
    const weak = !checkRules(input.password, policies.password, { account: known.account, email: known.email ?? '' }).ok;
    const set = { password_weak: weak, ...(outdated ? { password_hash: await hashPassword(input.password) } : {}) };
    const made = await finishSignIn(ctx, { user: known, platform: input.platform, userAgent, proof: true, set });
    if (made) return made;
  }
  const back = user && ok ? await offerRestore(ctx, user, input.platform) : undefined;
  if (back) return back;
  const next = await noteWrong(ctx, user, input.account, policies);
  ctx.audit({ target: input.account, after: { signedIn: false } });
  throw new Fault('LOGIN_FAILED', { fields: next ? { captcha: 'fault.CAPTCHA_REQUIRED' } : {} });
}
