import { onlineCalls } from '@mooring/contract/access/online-calls';
import type { AppContext } from '../../platform/app-context.ts';
import type { Authenticator } from '../../platform/http/authenticator.ts';
import { TOKEN_PREFIX } from '../../platform/http/authenticator.ts';
import { handlers, job, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { actorOf, reachOf } from '../access/api.ts';
import { identifyToken } from '../account/api.ts';
import { authRoutes } from './auth.handlers.ts';
import { forgetOld, unlockOver } from './forget-old.ts';
import { identifier } from './identify.ts';
import { endOnline, pageOnline } from './online.ts';
import { onlineExporter } from './online-exporter.ts';
import { registerCodeJob } from './register/confirm-email.ts';
import { registerRoutes } from './register/routes.ts';
import { remindOfUndecided } from './register/undecided.ts';
import { makeSealer } from './sealing.ts';
import { sendCodeJob } from './send-code.ts';
import { ssoRoutes } from './sso/sso.handlers.ts';

/** The doors, and what the platform asks them: who is it, and open this seal. */
export function makeAuth(app: AppContext): { module: Module; authenticator: Authenticator } {
  const sealer = makeSealer(app);
  const identify = identifier(app);
  return {
    module: {
      name: 'auth',
      exporters: [onlineExporter],
      routes: [
        ...authRoutes(app, sealer),
        ...registerRoutes(app),
        ...ssoRoutes(app),
        ...handlers(onlineCalls, { list: pageOnline, export: (ctx, input) => startExport(ctx, onlineExporter, input), end: endOnline }),
      ],
      jobs: [job(forgetOld), job(unlockOver), sendCodeJob(app), registerCodeJob(app), remindOfUndecided()],
    },
    authenticator: {
      identify: (token, ip, idleSeconds, platform) =>
        token.startsWith(TOKEN_PREFIX) ? identifyToken(app, token, ip, platform) : identify(token, ip, idleSeconds),
      reachOf: (userId, deptId) => app.unscoped((db) => reachOf(db, userId, deptId)),
      actorOf: (userId, platform) => app.unscoped((db) => actorOf(db, userId, platform)),
      open: (purpose, seal) => sealer.open(purpose, seal),
    },
  };
}
