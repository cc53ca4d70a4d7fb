import { randomUUID } from 'node:crypto';
import { commonFaults, Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { hasMetadata } from '@mooring/contract/kit/schema';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { type Acting, type AppContext, type AuditDetail, makeCtx } from '../app-context.ts';
import { masked } from '../audit/mask.ts';
import type { Actor, Db, Scope } from '../context.ts';
import { lazyRead, lazyTx } from '../db/lazy-tx.ts';
import { invalidate } from '../live/invalidate.ts';
import type { Route } from '../module.ts';
import { type Authenticator, type Identity, scopeOf, TOKEN_PREFIX } from './authenticator.ts';
import { checkRefs, type RefTable } from './check-refs.ts';
import { checkRevision } from './check-revision.ts';
import { done, type Envelope, failed, faultOf, statusOf } from './envelope.ts';
import { packedFor } from './packed.ts';
import { readInput } from './read-input.ts';
import { provesItself, UNKNOWN_BODY } from './unknown.ts';

export interface Mounting {
  readonly app: AppContext;
  readonly authenticator: Authenticator;
  readonly refs: Readonly<Record<string, RefTable>>;
  /** Called after each answer, for metrics. */
  readonly observe?: (path: string, code: number, seconds: number) => void;
}

/** Base path of all calls (design 1, section 2). */
export const BASE = '/ops';

const nobody: Actor = { userId: 0, userName: '', deptId: 0, deptPath: '!', permissions: new Set(), sessionId: undefined };
const nowhere: Scope = { platform: 'centre', deptId: 0, path: '!' };
const text = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
/** Calls that a person may still make who has to change the password or to bind a second factor before anything else. */
const allowedBeforePasswordChange = [
  '/sys/user/info',
  '/sys/user/pwd/policy',
  '/sys/user/editAccount',
  '/sys/logout',
  '/home/getProjectConfig',
];
const duringPasswordChange = new Set([...allowedBeforePasswordChange, '/sys/user/password']);
/** What somebody may do who registered and is not let in yet. */
const duringWait = new Set([
  '/sys/user/info',
  '/sys/user/editAccount',
  '/sys/logout',
  '/sys/regist/detail/{id}',
  '/sys/regist/withdraw',
  '/sys/regist/resubmit',
]);
const isMfaCall = (path: string) => path.startsWith('/sys/user/mfa/') || path.startsWith('/sys/user/passkey/');
const PROOF_SECONDS = 600;

/** What has to be done before this call, if anything. */
function inTheWay(
  identity: Identity,
  call: Route['call'],
): 'REGIST_WAITING' | 'PASSWORD_CHANGE_REQUIRED' | 'MFA_BIND_REQUIRED' | 'STEP_UP_REQUIRED' | undefined {
  if (identity.mustWait) return duringWait.has(call.path) ? undefined : 'REGIST_WAITING';
  if (identity.mustChangePassword && !duringPasswordChange.has(call.path)) return 'PASSWORD_CHANGE_REQUIRED';
  if (identity.mustBindMfa && !duringPasswordChange.has(call.path) && !isMfaCall(call.path)) return 'MFA_BIND_REQUIRED';
  const proved = identity.provedSeconds !== undefined && identity.provedSeconds <= PROOF_SECONDS;
  return call.stepUp && !proved && !(identity.token && call.tokens) ? 'STEP_UP_REQUIRED' : undefined;
}

/** A program that doesn't say how it wants to be told is told in English, a person in the language of the specification. */
export const langOf = (request: FastifyRequest): string =>
  text(request.headers['accept-language'])?.split(/[,;]/)[0]?.trim().slice(0, 16) ||
  (tokenOf(request)?.startsWith(TOKEN_PREFIX) ? 'en' : 'zh-CN');
export const tokenOf = (request: FastifyRequest): string | undefined =>
  text(request.headers.authorization)
    ?.replace(/^Bearer /i, '')
    .trim() || undefined;

const idleOf = (request: FastifyRequest): number => {
  const told = text(request.headers['x-idle']) ?? '';
  return /^\d{1,9}$/.test(told) ? Number(told) : 0;
};

/** Asking whether there is such a zone costs as much as a query; there are some hundreds. */
const zones = new Set<string>();
function timeZoneOf(request: FastifyRequest): string {
  const zone = text(request.headers['time-zone']) ?? 'UTC';
  if (zones.has(zone)) return zone;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    if (zones.size < 1000) zones.add(zone);
    return zone;
  } catch {
    return 'UTC';
  }
}

/** Who was refused, as far as that is known. */
const refused = new WeakMap<FastifyRequest, { account: string; actorId?: number; isWritten?: true }>();
/** Whose token is none of ours, or was. */
export const withoutSession = new WeakSet<FastifyRequest>();
/** What the console asks for as part of its ordinary way. */
const ordinary: readonly string[] = ['REGIST_WAITING', 'PASSWORD_CHANGE_REQUIRED', 'MFA_BIND_REQUIRED', 'STEP_UP_REQUIRED'];

/** Failed sign-ins, refused codes, calls without session or permission, whoever asks: all are counted here. */
function noteRefusal(app: AppContext, { call }: Route, request: FastifyRequest, error: unknown): void {
  if (!(error instanceof Fault) || ordinary.includes(error.fault)) return;
  // Whoever tries a code, an invitation or a ticket is at the door too, also where the call only reads.
  const opens = hasMetadata(call.input, 'secret') || hasMetadata(call.input, 'sealed');
  const isBeforeSignIn = call.can === 'public' && error.fault !== 'BAD_INPUT' && (opens || (call.domain === 'auth' && call.audited));
  if (!isBeforeSignIn && error.code !== 401 && error.code !== 403) return;
  const { account = '', actorId, isWritten } = refused.get(request) ?? {};
  if (isWritten) return;
  const platform = text(request.headers['accept-platform']);
  app.refusals.note({
    account,
    actorId,
    ip: request.ip,
    call: call.path,
    result: error.fault,
    platform: platform === 'centre' || platform === 'manager' ? platform : undefined,
    device: text(request.headers['user-agent']),
  });
}

async function admit(
  mounting: Mounting,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ actor: Actor; scope: Scope }> {
  const { call } = route;
  if (call.can === 'public') return { actor: nobody, scope: nowhere };
  const token = tokenOf(request);
  const platform = text(request.headers['accept-platform']);
  const identity: Identity | undefined =
    token === undefined ? undefined : await mounting.authenticator.identify(token, request.ip, idleOf(request), platform ?? call.platform);
  if (!identity) {
    withoutSession.add(request);
    throw fault('NO_SESSION');
  }
  // Whoever registered isn't anybody yet: until they are let in they have no more than a stranger.
  if (!identity.mustWait) provesItself(request, `user ${identity.actor.userId}`);
  refused.set(request, { account: '', actorId: identity.actor.userId });
  if (identity.token) void reply.headers(identity.token.headers);
  // A system's key does what it was given, and no more: nothing of its person's own, nor what anybody may see who is signed in.
  if (identity.token && call.can === 'session' && !call.tokens) throw fault('FORBIDDEN');
  if (platform !== undefined && platform !== identity.platform) throw fault('WRONG_PLATFORM');
  if (call.platform && call.platform !== identity.platform) throw fault('WRONG_PLATFORM');
  const way = inTheWay(identity, call);
  if (way && way !== 'STEP_UP_REQUIRED') throw fault(way);
  if (!isAllowed(identity.actor.permissions, call.can)) throw fault('FORBIDDEN');
  const scope = scopeOf(identity, text(request.headers['accept-deptid']));
  if (!scope) throw fault('DEPT_REFUSED');
  if (way) throw fault(way);
  return { actor: identity.actor, scope };
}

/** A trustee, or a manager of several organisations, who acts for one that isn't below their own. */
const actsForOthers = ({ actor, scope }: Acting) => !scope.path.startsWith(actor.deptPath);

/** It asks what would happen and changes nothing. */
const isPreview = (input: unknown): boolean => typeof input === 'object' && input !== null && 'preview' in input && input.preview === true;

async function noteAudit(db: Db, route: Route, acting: Acting, input: unknown, result: string, detail: AuditDetail): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await sql`
    insert into audit_entry (request_id, actor_id, actor_name, dept_path, platform, ip, call, target, input, before, after, result, actor_dept)
    values (${acting.requestId}, ${detail.actor?.userId ?? (acting.actor.userId || null)}::bigint, ${detail.actor?.userName ?? acting.actor.userName}, ${acting.scope.path === '!' ? '1.' : acting.scope.path}, ${acting.scope.platform}, ${acting.ip},
      ${route.call.path}, ${detail.target ?? null}, ${json(masked(route.call.input, input))}::jsonb, ${json(detail.before)}::jsonb, ${json(detail.after)}::jsonb, ${result}, ${actsForOthers(acting) ? (acting.actor.deptName ?? null) : null})`.execute(
    db,
  );
}

/** Who may make this call, known before its body is read. */
interface Admitted {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly started: number;
}

/** A call from its headers to its body. What it changed is committed, with its audit row, when this returns. */
async function perform(
  mounting: Mounting,
  route: Route,
  { actor, scope }: Admitted,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { app } = mounting;
  const { call } = route;
  const acting: Acting = { actor, scope, lang: langOf(request), timeZone: timeZoneOf(request), requestId: request.id, ip: request.ip };
  const raw = call.wire === 'multipart' ? {} : call.method === 'GET' ? request.query : request.body;
  const input =
    call.wire === 'multipart' ? {} : await readInput(call, raw, request.params as Record<string, string>, mounting.authenticator);
  const begin = call.reads && !call.audited ? lazyRead : lazyTx;
  const tx = actor === nobody ? begin(app.pools.system, undefined) : begin(app.pools.app, scope.path);
  const ctx = makeCtx(app, acting, tx.db);
  try {
    // A call that takes short transactions of its own holds none meanwhile: it would keep a connection from itself.
    const check = async (db: Db) => {
      await checkRefs(db, call, input, mounting.refs, actor.userId);
      await checkRevision(db, call, input, mounting.refs);
    };
    if (call.tx === 'own' && actor !== nobody) await ctx.inTx(check);
    else await check(tx.db);
    const body = await route.handler(ctx, input as never, { request, reply });
    if (call.audited && !isPreview(input)) {
      await Promise.all([
        noteAudit(tx.db, route, acting, input, 'done', ctx.audited()),
        invalidate(tx.db, call.group, scope.path === '!' ? '1.' : scope.path),
      ]);
    }
    // What only read has nothing to wait for.
    if (call.reads) void tx.commit().catch(() => {});
    else await tx.commit();
    return body;
  } catch (error) {
    await tx.rollback();
    if (actor === nobody) refused.set(request, { account: ctx.audited().target ?? '' });
    if (call.audited && !isPreview(input) && error instanceof Fault && actor !== nobody) {
      // What the log didn't take is counted among the refusals.
      await app
        .unscoped((db) => noteAudit(db, route, acting, input, error.fault, ctx.audited()))
        .then(() => refused.set(request, { account: '', isWritten: true }))
        .catch((lost: unknown) => app.log.error({ lost: String(lost) }, 'audit row of a refused call not written'));
    }
    throw error;
  }
}

/** One route per declared call. Only this file knows the envelope. */
export function mount(http: FastifyInstance, mounting: Mounting, routes: readonly Route[]): void {
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  for (const route of routes) {
    const { call } = route;
    const refuse = (request: FastifyRequest, reply: FastifyReply, started: number, error: unknown) => {
      noteRefusal(mounting.app, route, request, error);
      const envelope = explain(mounting.app, error, request, call.path);
      mounting.observe?.(call.path, envelope.code, (performance.now() - started) / 1000);
      return answer(reply, envelope);
    };
    http.route({
      method: call.method,
      url: `${BASE}${call.path.replace(/\{(\w+)\}/g, ':$1')}`,
      ...(call.can === 'public' ? { bodyLimit: UNKNOWN_BODY } : {}),
      onRequest: async (request, reply) => {
        const started = performance.now();
        try {
          admitted.set(request, { ...(await admit(mounting, route, request, reply)), started });
        } catch (error) {
          return refuse(request, reply, started, error);
        }
        return undefined;
      },
      handler: async (request, reply) => {
        const who = admitted.get(request);
        if (!who) throw new Error('asked before it was admitted');
        const { started } = who;
        let envelope: Envelope;
        try {
          const body = await perform(mounting, route, who, request, reply);
          if (reply.sent || call.wire === 'binary') {
            mounting.observe?.(call.path, 200, (performance.now() - started) / 1000);
            return call.wire === 'binary' && !reply.sent ? reply.send(body) : reply;
          }
          envelope = done(body);
        } catch (error) {
          return refuse(request, reply, started, error);
        }
        mounting.observe?.(call.path, envelope.code, (performance.now() - started) / 1000);
        const text = JSON.stringify(envelope);
        return send(reply, envelope, call.shared ? await packedFor(request, reply, text) : text);
      },
    });
  }
}

export function explain(app: AppContext, error: unknown, request: FastifyRequest, path: string): Envelope {
  const known = faultOf(error, request.id);
  const about = { requestId: request.id, path, ip: request.ip };
  if (known.code === commonFaults.UNEXPECTED) app.log.error({ ...about, err: error }, 'unexpected');
  else if (known.code === commonFaults.UNAVAILABLE)
    app.log.warn({ ...about, error: String(error) }, 'put off: something that it needs is away');
  else app.log.debug({ ...about, code: known.code, fault: known.fault, fields: known.fields }, 'refused');
  return failed(known, langOf(request));
}

export const answer = (reply: FastifyReply, envelope: Envelope): FastifyReply => send(reply, envelope, JSON.stringify(envelope));

function send(reply: FastifyReply, envelope: Envelope, text: string | Buffer): FastifyReply {
  const wait = (envelope.body as { wait?: number } | null)?.wait;
  if (wait !== undefined) void reply.header('retry-after', String(wait));
  return reply
    .code(statusOf(envelope))
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(text);
}

export const newRequestId = (): string => randomUUID();
