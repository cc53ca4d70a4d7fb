import type { loginCalls, Session } from '@mooring/contract/auth/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { checkPassword as checkRules } from '@mooring/contract/shared/password';
import type { Ctx } from '../../platform/context.ts';
import { takeCaptcha } from './captcha.ts';
import { byAccount, type DoorUser } from './find-user.ts';
import { admitted, checkDoor, type Door, finishSignIn, offerRestore } from './finish.ts';
import { tellOfTries } from './lock.ts';
import { checkPassword, hashPassword } from './password-hash.ts';

type Input = ParsedInputOf<typeof loginCalls.account>;

/** The last try that the policy allows tells the person once. Answers whether a captcha is asked for next. */
export async function noteWrong(ctx: Ctx, user: DoorUser | undefined, { policies: { login } }: Door, failures: number): Promise<boolean> {
  if (user?.state === '0' && failures === login.maxTries) await ctx.unscoped((db) => tellOfTries(db, user, login.lockMinutes, ctx.ip));
  return failures >= login.captchaAfter;
}

/** Signs in. The same answer and a similar time for an unknown account, a wrong password and a disabled one. */
export async function login(ctx: Ctx, input: Input, userAgent: string): Promise<Session> {
  ctx.audit({ target: input.account });
  const user = await ctx.unscoped((db) => byAccount(db, input.account));
  const door = await checkDoor(ctx, user, input.account);
  const { policies } = door;
  if (door.captcha) {
    const shown = input.captcha;
    if (!shown) throw new Fault('CAPTCHA_REQUIRED');
    if (!(await ctx.unscoped((db) => takeCaptcha(db, shown.id, shown.code)))) throw new Fault('CAPTCHA_WRONG');
  }
  const failures = await door.take();
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
  const next = await noteWrong(ctx, user, door, failures);
  throw new Fault('LOGIN_FAILED', { fields: next ? { captcha: 'fault.CAPTCHA_REQUIRED' } : {} });
}
