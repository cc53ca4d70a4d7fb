import { createHash } from 'node:crypto';
import { fault } from '@mooring/contract/kit/fault';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../app-context.ts';
import type { Route } from '../module.ts';
import { type Limit, sharedRate } from '../rate.ts';
import { homeOf } from '../unproven.ts';
import { answer, BASE, explain, tokenOf, withoutSession } from './mount.ts';

const MINUTE = 60_000;
const DEVICE = '/d/';

/**
 * What addresses may ask without a session: public calls, calls without a token, and the terminals' own paths. A shop, or a whole bank,
 * comes from one address, so the limits are wide; what guesses and floods has narrower ones of its own (sign-in, enrolment).
 */
export function limitRates(http: FastifyInstance, app: AppContext, routes: readonly Route[]): void {
  const { RATE_PUBLIC, RATE_DEVICE } = app.config;
  const open = new Set(
    routes.filter(({ call }) => call.can === 'public').map(({ call }) => `${BASE}${call.path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const take = sharedRate(app);
  const tokens = tokensSeen();
  const limitOf = (most: number): Limit => ({ most, perMs: MINUTE });
  http.addHook('onRequest', async (request, reply) => {
    const url = request.routeOptions.url ?? '';
    if (url.startsWith(DEVICE)) {
      const seconds = RATE_DEVICE > 0 ? await take(`device ${homeOf(request.ip)}`, limitOf(RATE_DEVICE)) : 0;
      if (seconds > 0) return reply.code(429).header('retry-after', seconds).send({ error: 'TOO_MANY', time: app.now().toISOString() });
    } else if (open.has(url) || (url.startsWith(BASE) && tokens.counts(tokenOf(request), homeOf(request.ip)))) {
      const seconds = RATE_PUBLIC > 0 ? await take(`public ${homeOf(request.ip)}`, limitOf(RATE_PUBLIC)) : 0;
      if (seconds > 0) return answer(reply, explain(app, fault('TOO_MANY', { seconds }), request, request.url));
    }
    return undefined;
  });
  http.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    const token = tokenOf(request);
    if (token !== undefined && url?.startsWith(BASE) && !open.has(url)) {
      if (withoutSession.has(request)) tokens.bad(token, homeOf(request.ip));
      // Refused for its pace it is as before.
      else if (reply.statusCode !== 429) tokens.good(token);
    }
    done();
  });
}

const PROVEN_MS = 600_000;
const GUESSING_MS = 60_000;
const MOST_KEPT = 20_000;

/** Remembers a key for a time; of too many the oldest goes. */
function keepFor(ms: number) {
  const until = new Map<string, number>();
  return {
    has: (key: string): boolean => (until.get(key) ?? 0) > performance.now(),
    forget: (key: string) => void until.delete(key),
    keep(key: string): void {
      until.delete(key);
      until.set(key, performance.now() + ms);
      const [oldest] = until.keys();
      if (until.size > MOST_KEPT && oldest !== undefined) until.delete(oldest);
    },
  };
}

/**
 * A made-up token would go round the limit. From an address that showed one a moment ago, tokens that weren't good before count as none;
 * whoever is signed in goes on.
 */
function tokensSeen() {
  const [proven, guessing] = [keepFor(PROVEN_MS), keepFor(GUESSING_MS)];
  const keyOf = (token: string) => createHash('sha256').update(token).digest('base64');
  return {
    counts: (token: string | undefined, ip: string): boolean => token === undefined || (guessing.has(ip) && !proven.has(keyOf(token))),
    good: (token: string) => proven.keep(keyOf(token)),
    bad(token: string, ip: string) {
      proven.forget(keyOf(token));
      guessing.keep(ip);
    },
  };
}
