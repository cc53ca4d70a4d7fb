import type { Logger } from 'pino';
import { makeRefusals, type Refusals } from './audit/refusals.ts';
import type { Config } from './config/config.ts';
import type { MasterKey } from './config/master-key.ts';
import type { Actor, Ctx, Db, JobOptions, Scope } from './context.ts';
import { type Counts, makeCounts } from './counts.ts';
import { inBulk, inTx, readInBulk, readOnly } from './db/lazy-tx.ts';
import type { Pools } from './db/pools.ts';
import { createDispatcher, type Dispatcher } from './gateway/dispatcher.ts';
import { type OutboundMessage, sendMessages } from './gateway/send-messages.ts';
import { enqueue } from './jobs/enqueue.ts';
import { invalidate } from './live/invalidate.ts';

/** What a process is made of; passed on, never global. */
export interface AppContext {
  readonly config: Config;
  readonly pools: Pools;
  readonly masterKey: MasterKey;
  readonly log: Logger;
  now(): Date;
  /** A transaction past the range policy: for services, since no person acts there. */
  unscoped<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The same for batches: their tables go from empty to a million rows and back while connections live. */
  inBulk<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The same for what only reads: nobody waits for the end of its transaction. */
  readOnly<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The same for what only reads of such tables as `inBulk` is for. */
  readInBulk<T>(work: (db: Db) => Promise<T>): Promise<T>;
  readonly dispatcher: Dispatcher;
  readonly counts: Counts;
  /** Where every failed sign-in, refused code, 401 and 403 is counted. */
  readonly refusals: Refusals;
  /** Says something to devices; what can go at once goes when the transaction is committed. */
  sendMessages(db: Db, messages: readonly OutboundMessage[]): Promise<number>;
  invalidate(db: Db, group: string, ...paths: readonly string[]): Promise<void>;
  enqueue(db: Db, job: string, payload: unknown, options?: JobOptions): Promise<void>;
}

export function createApp(parts: Pick<AppContext, 'config' | 'pools' | 'masterKey' | 'log'> & { now?: () => Date }): AppContext {
  const now = parts.now ?? (() => new Date());
  const dispatcher = createDispatcher();
  const unscoped: AppContext['unscoped'] = (work) => inTx(parts.pools.system, undefined, work);
  const refusals = makeRefusals({
    now,
    unscoped,
    onLost: (error) => parts.log.error({ error: String(error) }, 'refused calls not counted'),
  });
  return {
    ...parts,
    now,
    dispatcher,
    counts: makeCounts(),
    sendMessages(db, messages) {
      const dispatch = dispatcher.dispatch();
      return sendMessages(db, messages, dispatch && { dispatch, now: now() });
    },
    refusals,
    unscoped,
    inBulk: (work) => inBulk(parts.pools.system, work),
    readOnly: (work) => readOnly(parts.pools.system, undefined, work),
    readInBulk: (work) => readInBulk(parts.pools.system, work),
    invalidate,
    enqueue: (db, job, payload, options) => enqueue(db, job, { payload }, options),
  };
}

export interface Acting {
  readonly actor: Actor;
  readonly scope: Scope;
  readonly lang: string;
  readonly timeZone: string;
  readonly requestId: string;
  readonly ip: string;
  /** Of a job, which may outlast them. */
  readonly permissionsNow?: () => Promise<ReadonlySet<string>>;
}

export interface AuditDetail {
  readonly target?: string;
  /** Who it was, where that is known only now: somebody signs in. */
  readonly actor?: { readonly userId: number; readonly userName: string };
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Who a job is done for, with whose bounds. */
export const authorOf = ({ actor, scope, lang, timeZone }: Omit<Acting, 'requestId' | 'ip'>) => ({
  userId: actor.userId,
  scope,
  lang,
  timeZone,
  ...(actor.apiToken ? { apiToken: actor.apiToken, permissions: [...actor.permissions] } : {}),
});

/** The handler's door to the outside, over one transaction. */
export function makeCtx(app: AppContext, acting: Acting, db: Db): Ctx & { readonly audited: () => AuditDetail } {
  let audited: AuditDetail = {};
  return {
    ...acting,
    db,
    log: app.log.child({ requestId: acting.requestId }),
    now: app.now,
    permissionsNow: acting.permissionsNow ?? (async () => acting.actor.permissions),
    inTx: (work) => inTx(app.pools.app, acting.scope.path, work),
    withScope: (work) => inTx(app.pools.app, acting.scope.path, (inner) => work(makeCtx(app, acting, inner))),
    unscoped: app.unscoped,
    inBulk: app.inBulk,
    readOnly: app.readOnly,
    enqueue: (on, job, payload, options) => enqueue(on, job, { payload, by: authorOf(acting) }, options),
    sendMessages: app.sendMessages,
    invalidate: (on, group, path) => invalidate(on, group, path ?? acting.scope.path),
    audit: (detail) => {
      audited = { ...audited, ...detail };
    },
    audited: () => audited,
  };
}
