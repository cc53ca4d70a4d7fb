import type { IncomingMessage } from 'node:http';
import fastifyMultipart from '@fastify/multipart';
import fastifyWebsocket from '@fastify/websocket';
import { fault } from '@mooring/contract/kit/fault';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Module } from '../module.ts';
import { logAccess } from './access-log.ts';
import { serveConsole } from './console.ts';
import { faultOf } from './envelope.ts';
import { cutJunk, trustOf } from './forwarded.ts';
import { secureHeaders } from './headers.ts';
import { serveHealth } from './health.ts';
import { type LiveParts, serveLive } from './live.ts';
import { startMetrics } from './metrics.ts';
import { answer, BASE, explain, type Mounting, mount, newRequestId } from './mount.ts';
import { serveApiDocs } from './openapi-page.ts';
import { limitRates } from './rate-limit.ts';
import { refuseTerminal, TERMINALS } from './terminal-error.ts';
import { boundUnknown } from './unknown.ts';

export interface AppParts extends Omit<Mounting, 'observe'>, LiveParts {
  readonly modules: readonly Module[];
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Folder of the built console; without it only calls are served. */
  readonly consoleDir?: string;
  /** Further routes outside the envelope: devices' bytes and enrolment. */
  readonly plugins?: readonly ((app: FastifyInstance) => void | Promise<void>)[];
}

/** JSON bodies are bounded; uploads have their own limit. */
const BODY_LIMIT = 1024 * 1024;
const UPLOAD_LIMIT = 64 * 1024 * 1024;

/** The HTTP server of the console and of the devices' bytes. */
export async function makeApp(parts: AppParts): Promise<FastifyInstance> {
  const { house } = parts;
  const app: FastifyInstance = Fastify({
    ...(parts.tls ? { https: parts.tls } : {}),
    bodyLimit: BODY_LIMIT,
    genReqId: newRequestId,
    trustProxy: trustOf(house.config.TRUST_PROXY),
    // The first that sees a request, whichever way it came.
    rewriteUrl(request: IncomingMessage) {
      cutJunk(request);
      return request.url ?? '/';
    },
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 4096 },
    logger: false,
  } as object) as unknown as FastifyInstance;
  // Slow or idle clients hold a socket, never a worker: headers must come within 30 s.
  app.server.headersTimeout = 30_000;
  boundUnknown(app, house);
  // A connection that falls idle after the stop began would be waited for until its keep-alive ends, a minute later.
  app.addHook('preClose', async () => {
    const closing = setInterval(() => app.server.closeIdleConnections(), 100);
    app.server.once('close', () => clearInterval(closing));
  });
  const metrics = startMetrics(house, parts.modules);
  secureHeaders(app, parts.tls !== undefined);
  await app.register(fastifyWebsocket, { options: { maxPayload: 16 * 1024 } });
  await app.register(fastifyMultipart, { limits: { fileSize: UPLOAD_LIMIT, files: 1 } });
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  app.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode;
    const known = status === 413 ? fault('TOO_LARGE') : status !== undefined && status < 500 ? fault('BAD_INPUT') : error;
    if (request.url.startsWith(TERMINALS)) return refuseTerminal(reply, faultOf(known, request.id), house.now());
    return answer(reply, explain(house, known, request, request.url));
  });
  if (house.config.ACCESS_LOG) logAccess(app, house.log);
  const routes = parts.modules.flatMap((module) => module.routes ?? []);
  limitRates(app, house, routes);
  mount(app, { ...parts, observe: metrics.observe }, routes);
  serveHealth(app, house);
  metrics.serve(app);
  serveLive(app, parts);
  serveApiDocs(app);
  for (const plugin of parts.plugins ?? []) await app.register(async (scope) => plugin(scope));
  if (parts.consoleDir) serveConsole(app, parts.consoleDir);
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith(TERMINALS)) return refuseTerminal(reply, fault('NOT_FOUND'), house.now());
    if (request.url.startsWith(BASE) || !parts.consoleDir) return answer(reply, explain(house, fault('NOT_FOUND'), request, request.url));
    return reply.callNotFound();
  });
  return app;
}
