import type { Logger } from 'pino';
import { makeRefusals, type Refusals } from './audit/refusals.ts';
import type { Config } from './config/config.ts';
import type { MasterKey } from './config/master-key.ts';
import type { Actor, Ctx, Db, JobOptions, Scope } from './context.ts';
import { type Counts, makeCounts } from './counts.ts';
import { inBulk, inTx, look } from './db/lazy-tx.ts';
import type { Pools } from './db/pools.ts';
import { openPost, type Post } from './gateway/post.ts';
import { type Tell, tell } from './gateway/tell.ts';
import { enqueue } from './jobs/enqueue.ts';
import { touch } from './live/touch.ts';

/** What a process is made of; passed on, never global. */
export interface House {
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
  look<T>(work: (db: Db) => Promise<T>): Promise<T>;
  readonly post: Post;
  readonly counts: Counts;
  /** Where every failed sign-in, refused code, 401 and 403 is counted. */
  readonly refusals: Refusals;
  /** Says something to devices; what can go at once goes when the transaction is committed. */
  tell(db: Db, messages: readonly Tell[]): Promise<number>;
  touch(db: Db, group: string, ...paths: readonly string[]): Promise<void>;
  enqueue(db: Db, job: string, payload: unknown, options?: JobOptions): Promise<void>;
}

export function makeHouse(parts: Pick<House, 'config' | 'pools' | 'masterKey' | 'log'> & { now?: () => Date }): House {
  const now = parts.now ?? (() => new Date());
  const post = openPost();
  const unscoped: House['unscoped'] = (work) => inTx(parts.pools.system, undefined, work);
  const refusals = makeRefusals({
    now,
    unscoped,
    onLost: (error) => parts.log.error({ error: String(error) }, 'refused calls not counted'),
  });
  return {
    ...parts,
    now,
    post,
    counts: makeCounts(),
    tell(db, messages) {
      const carrier = post.carrier();
      return tell(db, messages, carrier && { carrier, now: now() });
    },
    refusals,
    unscoped,
    inBulk: (work) => inBulk(parts.pools.system, work),
    look: (work) => look(parts.pools.system, undefined, work),
    touch,
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
}

export interface AuditDetail {
  readonly target?: string;
  /** Who it was, where that is known only now: somebody signs in. */
  readonly actor?: { readonly userId: number; readonly userName: string };
  readonly before?: unknown;
  readonly after?: unknown;
}

const authorOf = ({ actor, scope, lang, timeZone }: Acting) => ({
  userId: actor.userId,
  scope,
  lang,
  timeZone,
  ...(actor.apiToken ? { apiToken: actor.apiToken, permissions: [...actor.permissions] } : {}),
});

/** The handler's door to the outside, over one transaction. */
export function makeCtx(house: House, acting: Acting, db: Db): Ctx & { readonly audited: () => AuditDetail } {
  let audited: AuditDetail = {};
  return {
    ...acting,
    db,
    log: house.log.child({ requestId: acting.requestId }),
    now: house.now,
    inTx: (work) => inTx(house.pools.app, acting.scope.path, work),
    within: (work) => inTx(house.pools.app, acting.scope.path, (inner) => work(makeCtx(house, acting, inner))),
    unscoped: house.unscoped,
    inBulk: house.inBulk,
    look: house.look,
    enqueue: (on, job, payload, options) => enqueue(on, job, { payload, by: authorOf(acting) }, options),
    tell: house.tell,
    touch: (on, group, path) => touch(on, group, path ?? acting.scope.path),
    audit: (detail) => {
      audited = { ...audited, ...detail };
    },
    audited: () => audited,
  };
}
