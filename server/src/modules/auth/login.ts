import type { loginCalls, Session } from '@mooring/contract/auth/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { checkPassword as checkRules } from '@mooring/contract/shared/password';
import type { Ctx } from '../../platform/context.ts';
import type { House } from '../../platform/house.ts';
import { byAccount, type DoorUser } from './find-user.ts';
import { admitted, checkDoor, type Door, finishSignIn, offerRestore } from './finish.ts';
import { tellOfTries } from './lock.ts';
import { checkPassword, hashPassword } from './password-hash.ts';
import { askProof, takeProof } from './proof.ts';

type Input = ParsedInputOf<typeof loginCalls.account>;

/** The last try that the policy allows tells the person once. */
export async function noteWrong(ctx: Ctx, user: DoorUser | undefined, { policies: { login } }: Door, failures: number): Promise<void> {
  if (user?.state === '0' && failures === login.maxTries) await ctx.unscoped((db) => tellOfTries(db, user, login.lockMinutes, ctx.ip));
}

/** Signs in. The same answer and a similar time for an unknown account, a wrong password and a disabled one. */
export async function login(house: House, ctx: Ctx, input: Input, userAgent: string): Promise<Session> {
  ctx.audit({ target: input.account });
  const user = await ctx.unscoped((db) => byAccount(db, input.account));
  const door = await checkDoor(ctx, user, input.account);
  const { policies } = door;
  if (door.work !== undefined) {
    if (input.proof === undefined) throw new Fault('CAPTCHA_REQUIRED');
    await takeProof(house, ctx, { purpose: 'login', account: input.account, level: door.work }, input.proof);
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
export async function workBefore(house: House, ctx: Ctx, account: string): Promise<{ challenge: string | null }> {
  const user = await ctx.unscoped((db) => byAccount(db, account));
  const { work } = await checkDoor(ctx, user, account);
  return { challenge: work === undefined ? null : await askProof(house, ctx, { purpose: 'login', account, level: work }) };
}
