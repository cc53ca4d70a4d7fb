import type { loginCalls, Session, signInCalls } from '@mooring/contract/auth/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Wire } from '../../platform/module.ts';
import {
  askPasskey,
  consumePasskey,
  endWaysIn,
  notifyPasswordChanged,
  prepareNewPassword,
  relyingParty,
  tokensOf,
} from '../account/api.ts';
import { forgetAllFailures, noteAddress } from './attempts.ts';
import { consumeCode } from './codes.ts';
import { byContact, byEmail, byId } from './find-user.ts';
import { admitted, checkBeforeSignIn, finishSignIn } from './finish.ts';
import { unlockNow } from './lock.ts';
import { policiesAt, sendsCodes } from './policies.ts';
import { consumeTicket, giveTicket, tryTicket } from './tickets.ts';

const wrongCode = () => new Fault('CODE_REFUSED', { fields: { code: 'fault.CODE_REFUSED' } });

/** By a code that was mailed or sent as a text message: one factor, so a bound second one is still asked for, and it is no proof for step-up. */
export async function loginByCode(
  app: AppContext,
  ctx: Ctx,
  input: ParsedInputOf<typeof loginCalls.msg>,
  userAgent: string,
): Promise<Session> {
  ctx.audit({ target: input.to });
  const user = await ctx.unscoped((db) => byContact(db, input.to));
  const { policies } = await checkBeforeSignIn(ctx, user, input.to);
  const right = await ctx.unscoped((db) => consumeCode(db, app.masterKey, 'login', input.to, input.code, input.ticket));
  const known =
    user && right && sendsCodes(policies.login, input.to) ? await ctx.unscoped((db) => admitted(db, user, ctx.now())) : undefined;
  const made = known && (await finishSignIn(ctx, { user: known, platform: input.platform, userAgent, typed: input.to, proof: false }));
  if (made) return made;
  // Each code is bounded by itself. Counted against the account, it would let anybody lock it without any work.
  await ctx.unscoped((db) => noteAddress(db, ctx.ip, policies.login));
  throw wrongCode();
}

/** By a passkey that the browser found itself: who it is comes from the passkey, and it is two factors in one. */
export async function loginByPasskey(
  app: AppContext,
  ctx: Ctx,
  input: ParsedInputOf<typeof loginCalls.passkey>,
  wire: Wire,
  userAgent: string,
): Promise<Session> {
  const refused = () => new Fault('PASSKEY_REFUSED');
  const userId = await consumePasskey(ctx, relyingParty(app.config, wire), 'passkeyLogin', input.ticket, input.credential, 'anyone');
  const user = await ctx.unscoped((db) => byId(db, userId));
  if (!user) throw refused();
  ctx.audit({ target: user.account });
  const known = await ctx.unscoped((db) => admitted(db, user, ctx.now()));
  const made = known && (await finishSignIn(ctx, { user: known, platform: input.platform, userAgent, proof: true, complete: true }));
  if (!made) throw refused();
  return made;
}

export async function askSecondPasskey(
  app: AppContext,
  ctx: Ctx,
  ticket: string,
  wire: Wire,
): Promise<{ ticket: string; options: string }> {
  return ctx.unscoped(async (db) => {
    const step = await tryTicket(db, 'mfa', ticket);
    if (!step || step.userId === null) throw new Fault('TICKET_OVER');
    return askPasskey(db, relyingParty(app.config, wire), 'passkeyProof', step.userId);
  });
}

/** A mailed code for a ticket that changes the password. An address that nobody has never had a code. */
export async function validateCode(
  app: AppContext,
  ctx: Ctx,
  input: ParsedInputOf<typeof signInCalls.validateCode>,
): Promise<z.input<(typeof signInCalls.validateCode)['output']>> {
  ctx.audit({ target: input.email });
  const right = await ctx.unscoped((db) => consumeCode(db, app.masterKey, 'reset', input.email, input.code, input.ticket));
  const user = right ? await ctx.unscoped((db) => byEmail(db, input.email)) : undefined;
  if (!user || !['0', '1', 'joining', 'refused'].includes(user.state)) throw wrongCode();
  return ctx.unscoped(async (db) => ({
    ticket: await giveTicket(db, 'reset', user.id),
    account: user.account,
    tokens: await tokensOf(db, user.id),
  }));
}

/**
 * Ends what somebody else may have opened with the old password: all sessions, the number that signs in by text message, and API tokens where it is said so.
 * Second factors stay, or whoever has the mailbox would have them too. A lock after wrong tries ends, since its person has shown to own the mailbox.
 */
export async function resetPassword(ctx: Ctx, input: ParsedInputOf<typeof signInCalls.resetPassword>): Promise<null> {
  const over = () => new Fault('TICKET_OVER');
  const step = await ctx.unscoped((db) => tryTicket(db, 'reset', input.ticket));
  const userId = step?.userId;
  const user = typeof userId === 'number' ? await ctx.unscoped((db) => byId(db, userId)) : undefined;
  if (!user) throw over();
  const policies = await ctx.unscoped((db) => policiesAt(db, user.dept_path));
  const write = await prepareNewPassword(ctx.unscoped, user, input.newPassword, policies);
  await ctx.unscoped(async (db) => {
    if (!(await consumeTicket(db, 'reset', input.ticket))) throw over();
    await write(db);
    const ended = await endWaysIn(ctx, db, user.id, { tokens: input.tokens, mobile: 'remove', passkeys: 'keep' });
    ctx.audit({ target: user.account, ...(Object.keys(ended).length > 0 ? { after: ended } : {}) });
    await unlockNow(db, user.id, user.id, 'reset');
    await forgetAllFailures(db, user.id);
    await notifyPasswordChanged(db, user, ctx.ip, ctx.now());
  });
  return null;
}
