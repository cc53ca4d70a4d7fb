import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import type { Platform } from '@mooring/contract/kit/call';
import type { AppContext } from '../../platform/app-context.ts';
import { handlers, type Route, type Wire } from '../../platform/module.ts';
import { askPasskey, relyingParty } from '../account/api.ts';
import { cross } from './cross.ts';
import { login, proofBefore } from './login.ts';
import { askSecondPasskey, loginByCode, loginByPasskey, resetPassword, validateCode } from './other-sign-ins.ts';
import { strictestPassword } from './policies.ts';
import { askProof, consumeProof, mailTask } from './proof.ts';
import { policyOfInvite } from './register/invited.ts';
import type { Sealer } from './sealing.ts';
import { secondStep } from './second-step.ts';
import { askForCode } from './send-code.ts';
import { endSession } from './sessions.ts';

const agentOf = (wire: Wire) => String(wire.request.headers['user-agent'] ?? '');

export const authRoutes = (app: AppContext, sealer: Sealer): Route[] => [
  ...handlers(loginCalls, {
    account: (ctx, input, wire) => login(app, ctx, input, agentOf(wire)),
    sendCode: async (ctx, input) => {
      ctx.audit({ target: input.to });
      await consumeProof(app, ctx, await mailTask(ctx, 'code'), input.proof);
      return askForCode(app, ctx, input.to, input.purpose);
    },
    msg: (ctx, input, wire) => loginByCode(app, ctx, input, agentOf(wire)),
    passkeyOptions: (ctx, _input, wire) => askPasskey(ctx.db, relyingParty(app.config, wire), 'passkeyLogin', null),
    passkey: (ctx, input, wire) => loginByPasskey(app, ctx, input, wire, agentOf(wire)),
    mfaPasskeyOptions: (ctx, input, wire) => askSecondPasskey(app, ctx, input.ticket, wire),
    random: () => sealer.challenge(),
    cross: (ctx, input, wire) => cross(ctx, input.platform as Platform, agentOf(wire)),
  }),
  ...handlers(signInCalls, {
    logout: async (ctx) => {
      const { sessionId } = ctx.actor;
      if (sessionId !== undefined) await ctx.unscoped((db) => endSession(db, sessionId));
      return null;
    },
    captcha: async (ctx, { purpose }) => ({ challenge: await askProof(app, ctx, await mailTask(ctx, purpose)) }),
    captchaCheck: (ctx, { account }) => proofBefore(app, ctx, account),
    validateCode: (ctx, input) => validateCode(app, ctx, input),
    validateLogin: (ctx, input, wire) => secondStep(app, ctx, input, wire, agentOf(wire)),
    resetPassword: (ctx, input) => resetPassword(ctx, input),
    policyByEmail: (ctx) => ctx.unscoped(strictestPassword),
    invitePolicy: (ctx, { code }) => policyOfInvite(ctx, code),
  }),
];
