import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/** A line for each answer. Of the address only its path, as it is declared: what stands in its place may be a token. */
export function logAccess(http: FastifyInstance, log: Logger): void {
  http.addHook('onResponse', async (request, reply) => {
    const { method, ip, id: requestId } = request;
    const path = request.routeOptions.url ?? '(none)';
    log.info({ requestId, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ip }, 'answered');
  });
}
