import { fault } from '@mooring/contract/kit/fault';
import type { FastifyInstance } from 'fastify';
import type { House } from '../house.ts';
import type { Route } from '../module.ts';
import { type Limit, sharedRate } from '../rate.ts';
import { answer, BASE, explain } from './mount.ts';

const MINUTE = 60_000;
const DEVICE = '/d/';

/**
 * What addresses may ask without a session: public calls, calls without a token, and the terminals' own paths. A shop, or a whole bank,
 * comes from one address, so the limits are wide; what guesses and floods has narrower ones of its own (sign-in, enrolment).
 */
export function limitRates(app: FastifyInstance, house: House, routes: readonly Route[]): void {
  const { RATE_PUBLIC, RATE_DEVICE } = house.config;
  const open = new Set(
    routes.filter(({ call }) => call.can === 'public').map(({ call }) => `${BASE}${call.path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const take = sharedRate(house);
  const limitOf = (most: number): Limit => ({ most, perMs: MINUTE });
  app.addHook('onRequest', async (request, reply) => {
    const url = request.routeOptions.url ?? '';
    if (url.startsWith(DEVICE)) {
      const seconds = RATE_DEVICE > 0 ? await take(`device ${request.ip}`, limitOf(RATE_DEVICE)) : 0;
      if (seconds > 0) return reply.code(429).header('retry-after', seconds).send({ error: 'TOO_MANY', time: house.now().toISOString() });
    } else if (open.has(url) || (url.startsWith(BASE) && request.headers.authorization === undefined)) {
      const seconds = RATE_PUBLIC > 0 ? await take(`public ${request.ip}`, limitOf(RATE_PUBLIC)) : 0;
      if (seconds > 0) return answer(reply, explain(house, fault('TOO_MANY', { seconds }), request, request.url));
    }
    return undefined;
  });
}
