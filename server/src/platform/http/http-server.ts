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
import { pictureOrigin } from './picture-origin.ts';
import { limitRates } from './rate-limit.ts';
import { refuseTerminal, TERMINALS } from './terminal-error.ts';
import { boundUnknown, MOST_GATHERED } from './unknown.ts';

export interface AppParts extends Omit<Mounting, 'observe'>, LiveParts {
  readonly modules: readonly Module[];
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Folder of the built console; without it only calls are served. */
  readonly consoleDir?: string;
  /** Further routes outside the envelope: devices' bytes and enrolment. */
  readonly plugins?: readonly ((http: FastifyInstance) => void | Promise<void>)[];
}

/** Uploads have their own limit. */
const UPLOAD_LIMIT = 64 * 1024 * 1024;

/** The HTTP server of the console and of the devices' bytes. */
export async function createHttpServer(parts: AppParts): Promise<FastifyInstance> {
  const { app } = parts;
  const http: FastifyInstance = Fastify({
    ...(parts.tls ? { https: parts.tls } : {}),
    bodyLimit: MOST_GATHERED,
    genReqId: newRequestId,
    trustProxy: trustOf(app.config.TRUST_PROXY),
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
  http.server.headersTimeout = 30_000;
  boundUnknown(http, app);
  // A connection that falls idle after the stop began would be waited for until its keep-alive ends, a minute later.
  http.addHook('preClose', async () => {
    const closing = setInterval(() => http.server.closeIdleConnections(), 100);
    http.server.once('close', () => clearInterval(closing));
  });
  const metrics = startMetrics(app, parts.modules);
  secureHeaders(http, parts.tls !== undefined);
  await http.register(fastifyWebsocket, { options: { maxPayload: 16 * 1024 } });
  await http.register(fastifyMultipart, { limits: { fileSize: UPLOAD_LIMIT, files: 1 } });
  http.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  http.setErrorHandler((error, request, reply) => {
    const status = (error as { statusCode?: number }).statusCode;
    const known = status === 413 ? fault('TOO_LARGE') : status !== undefined && status < 500 ? fault('BAD_INPUT') : error;
    if (request.url.startsWith(TERMINALS)) return refuseTerminal(reply, faultOf(known, request.id), app.now());
    return answer(reply, explain(app, known, request, request.url));
  });
  if (app.config.ACCESS_LOG) logAccess(http, app.log);
  const routes = parts.modules.flatMap((module) => module.routes ?? []);
  limitRates(http, app, routes);
  mount(http, { ...parts, observe: metrics.observe }, routes);
  serveHealth(http, app);
  metrics.serve(http);
  serveLive(http, parts);
  serveApiDocs(http);
  for (const plugin of parts.plugins ?? []) await http.register(async (scope) => plugin(scope));
  if (parts.consoleDir) serveConsole(http, parts.consoleDir, pictureOrigin(app));
  http.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith(TERMINALS)) return refuseTerminal(reply, fault('NOT_FOUND'), app.now());
    if (request.url.startsWith(BASE) || !parts.consoleDir) return answer(reply, explain(app, fault('NOT_FOUND'), request, request.url));
    return reply.callNotFound();
  });
  return http;
}
