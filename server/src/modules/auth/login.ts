import type { loginCalls, Session } from '@mooring/contract/auth/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { checkPassword as checkRules } from '@mooring/contract/shared/password';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { byAccount, type SignInUser } from './find-user.ts';
import { admitted, type BeforeSignIn, checkBeforeSignIn, finishSignIn, offerRestore } from './finish.ts';
import { notifyOfTries } from './lock.ts';
import { checkPassword, hashPassword } from './password-hash.ts';
import { askProof, consumeProof } from './proof.ts';

type Input = ParsedInputOf<typeof loginCalls.account>;

/** The last try that the policy allows tells the person once. */
export async function noteWrong(
  ctx: Ctx,
  user: SignInUser | undefined,
  { policies: { login } }: BeforeSignIn,
  failures: number,
): Promise<void> {
  if (user?.state === '0' && failures === login.maxTries) await ctx.unscoped((db) => notifyOfTries(db, user, login.lockMinutes, ctx.ip));
}

/** Signs in. The same answer and a similar time for an unknown account, a wrong password and a disabled one. */
export async function login(app: AppContext, ctx: Ctx, input: Input, userAgent: string): Promise<Session> {
  ctx.audit({ target: input.account });
  const user = await ctx.unscoped((db) => byAccount(db, input.account));
  const door = await checkBeforeSignIn(ctx, user, input.account);
  const { policies } = door;
  if (door.work !== undefined) {
    if (input.proof === undefined) throw new Fault('CAPTCHA_REQUIRED');
    await consumeProof(app, ctx, { purpose: 'login', account: input.account, level: door.work }, input.proof);
  }
  const tried = await door.take();
  const { ok: right, outdated } = await checkPassword(user?.password_hash, input.password);
  const ok = right && tried.counts;
  const known = user && ok ? await ctx.unscoped((db) => admitted(db, user, ctx.now())) : undefined;
  if (known) {
    const weak = !checkRules(input.password, policies.password, { account: known.account, email: known.email ?? '' }).ok;
    const set = { password_weak: weak, ...(outdated ? { password_hash: await hashPassword(input.password) } : {}) };
    const made = await finishSignIn(ctx, { user: known, platform: input.platform, userAgent, typed: input.account, proof: true, set });
    if (made) return made;
  }
  const back = user && ok ? await offerRestore(ctx, user, input.platform) : undefined;
  if (back) return back;
  await noteWrong(ctx, user, door, tried.failures);
  throw new Fault('LOGIN_FAILED');
}

/** What is to be done before a sign-in with this account, known or not, is looked at. */
export async function proofBefore(app: AppContext, ctx: Ctx, account: string): Promise<{ challenge: string | null }> {
  const user = await ctx.unscoped((db) => byAccount(db, account));
  const { work } = await checkBeforeSignIn(ctx, user, account);
  return { challenge: work === undefined ? null : await askProof(app, ctx, { purpose: 'login', account, level: work }) };
}
