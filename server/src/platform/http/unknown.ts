import type { IncomingMessage, Server } from 'node:http';
import { fault } from '@mooring/contract/kit/fault';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppContext } from '../app-context.ts';
import { homeOf, unprovenOf } from '../unproven.ts';
import { unprovenSockets } from '../unproven-sockets.ts';
import { isProxy } from './forwarded.ts';

/** What who isn't signed in may say at once: a sign-in, a registration, a terminal's request for a certificate. */
export const UNKNOWN_BODY = 64 * 1024;
/** Of all bodies of unknown people and terminals that are on their way, and of those of one address. */
const UNKNOWN_BYTES = 16 * 1024 * 1024;
const UNKNOWN_BYTES_EACH = 1024 * 1024;
/**
 * Of all bodies of one known person or terminal that are on their way, each with what its connection costs besides. A file is written to the
 * disk as it comes, and weighs as little as what waits in between.
 */
const KNOWN_BYTES_EACH = 16 * 1024 * 1024;
const KNOWN_OVERHEAD = 8 * 1024;
/** So much of a body is gathered; files aren't. */
export const MOST_GATHERED = 1024 * 1024;
/** A known one's body may take as long as it likes, but something of it arrives in each such time. */
const KNOWN_BODY_SECONDS = 60;
const SWEEP_MS = 1000;
const UNKNOWN = 'from ';

interface Body {
  readonly request: FastifyRequest;
  /** Bytes of a budget, and whose it is. */
  held: number;
  of: string;
  at: number;
  read: number;
}

interface Instance {
  known(request: FastifyRequest, who: string): void;
}
const instances = new WeakMap<Server, Instance>();

/** Who asks is signed in and let in, or a terminal that proved it: neither its connection nor what it says counts as a stranger's any more. */
export const provesItself = (request: FastifyRequest, who: string): void =>
  instances.get(request.server.server as Server)?.known(request, who);

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/**
 * The unknown pay first: their connections, bytes and time have a budget, per address and in all. Bodies are read when it is known who
 * speaks; one that stops arriving ends its connection.
 */
export function boundUnknown(http: FastifyInstance, app: AppContext): void {
  const { config } = app;
  const limits = unprovenOf(config);
  const sockets = unprovenSockets(limits, isProxy(config.TRUST_PROXY));
  sockets.watch(http.server);
  const known = new WeakMap<FastifyRequest, string>();
  const bodies = new Map<IncomingMessage, Body>();
  /** By address of the unknown, by name of the known. */
  const budgets = new Map<string, number>();
  let all = 0;
  instances.set(http.server as Server, {
    known(request, who) {
      known.set(request, who);
      sockets.proved(request.raw.socket);
    },
  });

  const isOfUnknown = (of: string) => of.startsWith(UNKNOWN);
  const hold = (of: string, bytes: number) => {
    if (isOfUnknown(of)) all += bytes;
    const now = (budgets.get(of) ?? 0) + bytes;
    if (now > 0) budgets.set(of, now);
    else budgets.delete(of);
  };
  const release = (raw: IncomingMessage) => {
    const body = bodies.get(raw);
    if (!body || !bodies.delete(raw)) return;
    if (body.held > 0) hold(body.of, -body.held);
  };
  const isLate = (raw: IncomingMessage, body: Body, now: number): boolean => {
    if (!known.has(body.request)) return now - body.at > limits.seconds * 1000;
    const read = raw.socket?.bytesRead ?? 0;
    if (read > body.read) Object.assign(body, { read, at: now });
    return now - body.at > KNOWN_BODY_SECONDS * 1000;
  };
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [raw, body] of bodies) {
      if (raw.complete || raw.destroyed) release(raw);
      else if (isLate(raw, body, now)) {
        release(raw);
        raw.destroy();
      }
    }
  }, SWEEP_MS);
  sweep.unref();

  http.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    sockets.renew(raw.socket);
    if (hasBody(raw)) bodies.set(raw, { request, held: 0, of: '', at: performance.now(), read: 0 });
    done();
  });
  http.addHook('preParsing', (request, _reply, payload, done) => {
    const body = bodies.get(request.raw);
    if (!body) return done(null, payload);
    const declared = Number(request.headers['content-length'] ?? Number.NaN);
    const who = known.get(request);
    if (who === undefined && declared > UNKNOWN_BODY) return done(fault('TOO_LARGE'));
    const said = Number.isNaN(declared) ? (who === undefined ? UNKNOWN_BODY : MOST_GATHERED) : declared;
    const isFile = /^multipart\//i.test(request.headers['content-type'] ?? '');
    const bytes = who === undefined ? said : KNOWN_OVERHEAD + (isFile ? UNKNOWN_BODY : Math.min(said, MOST_GATHERED));
    const of = who ?? `${UNKNOWN}${homeOf(request.ip)}`;
    const most = who === undefined ? UNKNOWN_BYTES_EACH : KNOWN_BYTES_EACH;
    if ((who === undefined && all + bytes > UNKNOWN_BYTES) || (budgets.get(of) ?? 0) + bytes > most) {
      // What isn't taken isn't waited for either.
      known.delete(request);
      return done(fault('TOO_MANY', { seconds: 5 }));
    }
    Object.assign(body, { held: bytes, of });
    hold(of, bytes);
    done(null, payload);
  });
  http.addHook('preHandler', (request, _reply, done) => {
    // Parts of a form are read by its handler.
    if (!request.isMultipart()) release(request.raw);
    done();
  });
  http.addHook('onClose', async () => {
    clearInterval(sweep);
    sockets.stop();
  });
}
