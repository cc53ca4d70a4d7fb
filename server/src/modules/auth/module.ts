import { onlineCalls } from '@mooring/contract/access/online-calls';
import type { House } from '../../platform/house.ts';
import type { Doorkeeper } from '../../platform/http/doorkeeper.ts';
import { TOKEN_PREFIX } from '../../platform/http/doorkeeper.ts';
import { handlers, job, type Module } from '../../platform/module.ts';
import { actorOf, reachOf } from '../access/api.ts';
import { identifyToken } from '../account/api.ts';
import { authRoutes } from './auth.handlers.ts';
import { forgetOld, unlockOver } from './forget-old.ts';
import { identifier } from './identify.ts';
import { endOnline, pageOnline } from './online.ts';
import { registerCodeJob } from './register/confirm-email.ts';
import { registerRoutes } from './register/routes.ts';
import { remindOfUndecided } from './register/undecided.ts';
import { makeSealer } from './sealing.ts';
import { sendCodeJob } from './send-code.ts';
import { ssoRoutes } from './sso/sso.handlers.ts';

/** The doors, and what the platform asks them: who is it, and open this seal. */
export function makeAuth(house: House): { module: Module; doorkeeper: Doorkeeper } {
  const sealer = makeSealer(house);
  const identify = identifier(house);
  return {
    module: {
      name: 'auth',
      routes: [
        ...authRoutes(house, sealer),
        ...registerRoutes(house),
        ...ssoRoutes(house),
        ...handlers(onlineCalls, { list: pageOnline, end: endOnline }),
      ],
      jobs: [job(forgetOld), job(unlockOver), sendCodeJob(house), registerCodeJob(house), remindOfUndecided()],
    },
    doorkeeper: {
      identify: (token, ip, idleSeconds, platform) =>
        token.startsWith(TOKEN_PREFIX) ? identifyToken(house, token, ip, platform) : identify(token, ip, idleSeconds),
      reachOf: (userId, deptId) => house.unscoped((db) => reachOf(db, userId, deptId)),
      actorOf: (userId) => house.unscoped((db) => actorOf(db, userId)),
      open: (purpose, seal) => sealer.open(purpose, seal),
    },
  };
}
