import { PlatformName, type Session, type signInCalls } from '@mooring/contract/auth/calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Wire } from '../../platform/module.ts';
import { consumePasskey, consumeRecoveryCode, consumeTotp, relyingParty } from '../account/api.ts';
import { checkBeforeSignIn, finishSignIn, userOfStep } from './finish.ts';
import { noteWrong } from './login.ts';
import { consumeTicket, tryTicket } from './tickets.ts';

const Data = z.object({ platform: PlatformName, typed: z.string().optional() });
type Input = ParsedInputOf<typeof signInCalls.validateLogin>;

async function isRight(app: AppContext, ctx: Ctx, wire: Wire, userId: number, input: Input): Promise<boolean> {
  const { method, code = '' } = input;
  if (method === 'totp') return ctx.unscoped((db) => consumeTotp(db, app.masterKey, userId, code, ctx.now()));
  if (method === 'recovery') return ctx.unscoped((db) => consumeRecoveryCode(db, app.masterKey, userId, code));
  const { credential, passkeyTicket } = input;
  if (!credential || !passkeyTicket) return false;
  await consumePasskey(ctx, relyingParty(app.config, wire), 'passkeyProof', passkeyTicket, credential, userId);
  return true;
}

/** The second step: nothing without the ticket of the first, five tries for it, and each wrong one counts against the account. */
export async function secondStep(app: AppContext, ctx: Ctx, input: Input, wire: Wire, userAgent: string): Promise<Session> {
  const over = () => new Fault('TICKET_OVER');
  const ticket = await ctx.unscoped((db) => tryTicket(db, 'mfa', input.ticket));
  const user = ticket && (await userOfStep(ctx, ticket.userId));
  if (!ticket || !user) throw over();
  ctx.audit({ target: user.account });
  // By the name of the first step. A ticket of a version before doesn't say it.
  const { platform, typed = user.account } = Data.parse(ticket.data);
  const door = await checkBeforeSignIn(ctx, user, typed);
  const { counts, failures } = await door.take();
  if (!(counts && (await isRight(app, ctx, wire, user.id, input)))) {
    await noteWrong(ctx, user, door, failures);
    throw new Fault('CODE_REFUSED', { fields: { code: 'fault.CODE_REFUSED' } });
  }
  if (!(await ctx.unscoped((db) => consumeTicket(db, 'mfa', input.ticket)))) throw over();
  const made = await finishSignIn(ctx, { user, platform, userAgent, typed, proof: true, complete: true });
  if (!made) throw over();
  return made;
}
