import type { Session } from '@mooring/contract/auth/calls';
import type { Platform } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { platformsOf } from '../access/api.ts';
import { factorsOf } from '../account/api.ts';
import { attemptsOf, countTry, forgetFailures, giveBack, type Try, tryingOf } from './attempts.ts';
import { byId, type SignInUser } from './find-user.ts';
import { unlockDue } from './lock.ts';
import { mayComeFrom, type Policies, policiesAt, policyBeforeSignIn } from './policies.ts';
import { openSession } from './sessions.ts';
import { giveTicket } from './tickets.ts';

export const RESTORE_DAYS = 30;

export interface Step {
  readonly user: SignInUser;
  readonly platform: Platform;
  readonly userAgent: string;
  /** By which name they came, where one was typed: what was tried by it is over then. */
  readonly typed?: string;
  /** A mailed code opens a session, but is no proof for step-up. */
  readonly proof: boolean;
  /** Two factors in one, or the second one already given. */
  readonly complete?: boolean;
  readonly set?: Readonly<{ password_hash?: string; password_weak?: boolean }>;
}

export interface BeforeSignIn {
  /** The person's; what a stranger meets where they never signed in from here. */
  readonly policies: Policies;
  /** How much work is asked for besides a password; undefined: none. */
  readonly work: number | undefined;
  /** What is guessed is counted before it is looked at. Fault: TOO_MANY. */
  take(): Promise<Try>;
}

/** What stands before every door where something is guessed, for known and unknown people alike: the network, and the wait after wrong tries. */
export async function checkBeforeSignIn(ctx: Ctx, user: SignInUser | undefined, typed: string): Promise<BeforeSignIn> {
  return ctx.unscoped(async (db) => {
    const beforeSignIn = await policyBeforeSignIn(db, ctx.ip);
    if (!beforeSignIn) throw new Fault('ADDRESS_REFUSED');
    const policies = await policiesAt(db, user?.dept_path);
    const trying = await tryingOf(db, user?.id, typed, ctx.ip);
    const login = trying.known ? policies.login : beforeSignIn;
    const { work, waitSeconds } = await attemptsOf(db, trying, login);
    if (waitSeconds > 0) throw fault('TOO_MANY', { seconds: waitSeconds });
    return { policies: { ...policies, login }, work, take: () => countTry(ctx, trying, login) };
  });
}

/** Of the person's own line, and only once they proved who they are. Fault: ADDRESS_REFUSED. */
function checkNetwork(login: Policies['login'], ctx: Ctx): void {
  if (!mayComeFrom(login, ctx.ip)) throw new Fault('ADDRESS_REFUSED');
}

/** Registered and not let in yet: a session of theirs shows how that stands, and nothing else. */
export const isWaiting = (user: Pick<SignInUser, 'state'>): boolean => user.state === 'joining' || user.state === 'refused';

/** Whether the person may have a session at all; a lock that is over ends here. */
export async function admitted(db: Db, user: SignInUser, now: Date): Promise<SignInUser | undefined> {
  if (user.state === '1' && user.locked_until && user.locked_until.getTime() <= now.getTime()) {
    await unlockDue(db, user.id);
    return admitted(db, { ...user, state: '0', locked_until: null }, now);
  }
  return isWaiting(user) || (user.state === '0' && user.dept_state === 'enabled') ? user : undefined;
}

const none = { mfa: null, restore: null } as const;

/**
 * A password that was changed, or a person who was disabled, between the look at them and now: what ends their sessions would miss this one. Until the end
 * of the transaction it waits.
 */
async function holdUnchanged(db: Db, { id, password_hash, state }: SignInUser): Promise<boolean> {
  const { rows } =
    await sql`select from account_user where id = ${id} and password_hash is not distinct from ${password_hash} and state = ${state}
    for no key update`.execute(db);
  return rows.length > 0;
}

/** After a first factor: the second is asked for, or the session begins. Undefined where the person has no platform. */
export async function finishSignIn(ctx: Ctx, step: Step): Promise<Session | undefined> {
  const { user } = step;
  return ctx.unscoped(async (db) => {
    if (!(await holdUnchanged(db, user))) return undefined;
    const { login } = await policiesAt(db, user.dept_path);
    checkNetwork(login, ctx);
    const platforms = await platformsOf(db, user.id);
    const platform = isWaiting(user) ? 'centre' : platforms.includes(step.platform) ? step.platform : platforms[0];
    if (!platform) return undefined;
    if (step.set && Object.keys(step.set).length > 0)
      await db.updateTable('account_user').set(step.set).where('id', '=', user.id).execute();
    const methods = user.mfa_on || login.mfa === 'required' ? await factorsOf(db, user.id) : [];
    if (methods.length > 0 && !step.complete) {
      const ticket = await giveTicket(db, 'mfa', user.id, { platform, typed: step.typed });
      await giveBack(db, await tryingOf(db, user.id, step.typed, ctx.ip));
      return { token: '', platform, passwordChange: false, ...none, mfa: { ticket, methods } };
    }
    await forgetFailures(db, await tryingOf(db, user.id, step.typed, ctx.ip));
    await db.updateTable('account_user').set({ last_login_at: ctx.now() }).where('id', '=', user.id).execute();
    const token = await openSession(db, user.id, platform, ctx.ip, step.userAgent, step.proof ? {} : { provedAt: null });
    ctx.audit({ target: user.name, after: { signedIn: true }, actor: { userId: user.id, userName: user.name } });
    return { token, platform, passwordChange: user.password_initial, ...none };
  });
}

/** A cancelled account whose time isn't over may be taken back by whoever proved to be its owner. */
export async function offerRestore(ctx: Ctx, user: SignInUser, platform: Platform): Promise<Session | undefined> {
  if (user.state !== 'cancelled' || !user.cancelled_at) return undefined;
  const until = new Date(user.cancelled_at.getTime() + RESTORE_DAYS * 86_400_000);
  if (until.getTime() <= ctx.now().getTime()) return undefined;
  const ticket = await ctx.unscoped(async (db) => {
    checkNetwork((await policiesAt(db, user.dept_path)).login, ctx);
    return giveTicket(db, 'restore', user.id);
  });
  return { token: '', platform, passwordChange: false, ...none, restore: { ticket, until } as never };
}

/** The person behind the ticket of a first step, if they may still come in. */
export async function userOfStep(ctx: Ctx, userId: number | null): Promise<SignInUser | undefined> {
  if (userId === null) return undefined;
  return ctx.unscoped(async (db) => {
    const user = await byId(db, userId);
    return user && admitted(db, user, ctx.now());
  });
}
