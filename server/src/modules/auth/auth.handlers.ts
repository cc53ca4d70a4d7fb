import { doorCalls, loginCalls } from '@mooring/contract/auth/calls';
import type { Platform } from '@mooring/contract/kit/call';
import { handlers, type Route, type Wire } from '../../platform/module.ts';
import { makeCaptcha } from './captcha.ts';
import { cross } from './cross.ts';
import { login } from './login.ts';
import type { Sealer } from './sealing.ts';
import { endSession } from './sessions.ts';

const agentOf = (wire: Wire) => String(wire.request.headers['user-agent'] ?? '');

export const authRoutes = (sealer: Sealer): Route[] => [
  ...handlers(loginCalls, {
    account: (ctx, input, wire) => login(ctx, input, agentOf(wire)),
    random: () => sealer.challenge(),
    cross: (ctx, input, wire) => cross(ctx, input.platform as Platform, agentOf(wire)),
  }),
  ...handlers(doorCalls, {
    logout: async (ctx) => {
      const { sessionId } = ctx.actor;
      if (sessionId !== undefined) await ctx.unscoped((db) => endSession(db, sessionId));
      return null;
    },
    captcha: (ctx) => ctx.unscoped(makeCaptcha),
  }),
];
