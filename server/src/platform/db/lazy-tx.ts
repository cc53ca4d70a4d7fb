import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { DB } from '@mooring/database/tables';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import type { Db } from '../context.ts';
import { weightOf } from './scope-weight.ts';

/** A transaction (or a reading) that begins with its first query, so that a call that only computes holds no connection. */
export interface LazyTx {
  readonly db: Db;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

const followers = new WeakMap<Db, (() => void)[]>();

/** Does something once the transaction is committed; false where `db` is none, and so nobody can tell. */
export function afterCommit(db: Db, act: () => void): boolean {
  const acts = followers.get(db);
  acts?.push(act);
  return acts !== undefined;
}

const NAMED_STATEMENTS = 400;
/** By the pool whose connections know them, and the weight of what they were planned for. */
const names = new WeakMap<pg.Pool, Map<string, Map<string, string>>>();

/** Named statements are planned once a connection; only the first few hundred texts get a name, so that none grows without bound. */
function nameOf(pool: pg.Pool, sql: string, weight: string): string | undefined {
  const ofPool = names.get(pool) ?? new Map<string, Map<string, string>>();
  names.set(pool, ofPool);
  const of = ofPool.get(weight) ?? new Map<string, string>();
  ofPool.set(weight, of);
  const known = of.get(sql);
  if (known) return known;
  if (of.size >= NAMED_STATEMENTS) return undefined;
  const name = createHash('sha1').update(weight).update(sql).digest('base64url');
  of.set(sql, name);
  return name;
}

async function run(client: pg.PoolClient, query: CompiledQuery, name: string | undefined): Promise<QueryResult<never>> {
  const result = await client.query({ text: query.sql, values: query.parameters as unknown[], ...(name ? { name } : {}) });
  return { rows: result.rows as never[], numAffectedRows: BigInt(result.rowCount ?? 0) };
}

const dialectOf = (connection: DatabaseConnection): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createDriver: (): Driver => {
    const nested = async () => {
      throw new Error('a handler is inside its transaction already');
    };
    return {
      init: async () => {},
      acquireConnection: async () => connection,
      beginTransaction: nested,
      commitTransaction: nested,
      rollbackTransaction: nested,
      releaseConnection: async () => {},
      destroy: async () => {},
    };
  },
});

/** Writes that are asked in one breath go out together: a packet costs more than most statements. */
function gatherWrites(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The path and all above it, as the database writes a list. Said with the scope: worked out in a policy it took a tenth of a page's statement. */
const ancestorsOf = (scope: string) => `{${[...scope.matchAll(/\./g)].map(({ index }) => scope.slice(0, index + 1)).join(',')}}`;
const scopeSettings = (scope: string, ancestors: string, isLocal: boolean) =>
  `set_config('mooring.scope', ${scope}, ${isLocal}), set_config('mooring.ancestors', ${ancestors}, ${isLocal})`;

/** How a connection is made ready before its first statement, and how it is left. */
interface Manner {
  readonly open: (client: pg.PoolClient) => Promise<unknown>;
  readonly close: (client: pg.PoolClient, word: 'commit' | 'rollback') => Promise<unknown>;
  readonly commits: boolean;
  /** Its statements have no name, and so are planned for what there is now. */
  readonly isPlannedAnew?: boolean;
}

const ABORTED = '25P02';
const codeOfError = (error: unknown) => (error as { code?: string } | undefined)?.code;

function lazily(pool: pg.Pool, scope: string | undefined, manner: Manner): LazyTx {
  const weight = scope === undefined ? '' : weightOf(scope);
  let client: Promise<pg.PoolClient> | undefined;
  let opening: Promise<unknown> = Promise.resolve();
  let last: Promise<unknown> = Promise.resolve();
  let ended = false;
  let cause: unknown;
  /** Of statements that are sent together the first may break the transaction, and a later one's refusal be heard before: what broke it is what is said. */
  const broke = (error: unknown): never => {
    if (codeOfError(error) !== ABORTED) cause = error;
    throw cause ?? error;
  };
  const begin = async () => {
    const taken = await pool.connect();
    gatherWrites(taken);
    // It goes out together with the first query: nobody waits for its answer alone.
    opening = manner.open(taken);
    return taken;
  };
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      if (ended) return Promise.reject(new Error('the transaction is over'));
      client ??= begin();
      const held = client;
      // Those that are asked together are sent together, in their order: the database answers both in one go.
      const next = held.then(async (taken) => {
        gatherWrites(taken);
        return (
          await Promise.all([run(taken, query, manner.isPlannedAnew ? undefined : nameOf(pool, query.sql, weight)).catch(broke), opening])
        )[0];
      });
      last = Promise.allSettled([last, next]);
      return next as Promise<QueryResult<R>>;
    },
    streamQuery: () => {
      throw new Error('rows are read by pages');
    },
  };
  const end = async (word: 'commit' | 'rollback') => {
    ended = true;
    if (!client) return;
    await last;
    const held = await client;
    try {
      await Promise.all([opening, manner.close(held, word)]);
      held.release();
    } catch (error) {
      held.release(true);
      if (word === 'commit') throw error;
    }
  };
  const db: Db = new Kysely<DB>({ dialect: dialectOf(connection) });
  const acts: (() => void)[] = [];
  if (manner.commits) followers.set(db, acts);
  return {
    db,
    commit: async () => {
      await end('commit');
      for (const act of acts) act();
    },
    rollback: () => end('rollback').catch(() => {}),
  };
}

// Connections read only (`openPools`), so that what says that it reads can't change anything; a transaction may.
const BEGIN = 'begin read write';
const beginIn = (scope: string) => `${BEGIN}; select ${scopeSettings(pg.escapeLiteral(scope), pg.escapeLiteral(ancestorsOf(scope)), true)}`;

/** `scope` is the path that owned rows start with; none for the system's own transactions. */
export const lazyTx = (pool: pg.Pool, scope: string | undefined, beginning = scope === undefined ? BEGIN : beginIn(scope)): LazyTx =>
  lazily(pool, scope, { open: (client) => client.query(beginning), close: (client, word) => client.query(word), commits: true });

/** The scope that a connection has outside of transactions. */
const scopes = new WeakMap<pg.PoolClient, string>();

/**
 * For what only reads: each statement for itself, without a transaction around them. A connection keeps the scope that it read in last,
 * and is told only another one. No answer is given before that was confirmed.
 */
export const lazyRead = (pool: pg.Pool, scope: string | undefined, isPlannedAnew = false): LazyTx =>
  lazily(pool, scope, {
    open: async (client) => {
      if (scope === undefined || scopes.get(client) === scope) return;
      scopes.delete(client);
      await client.query({ name: 'scope', text: `select ${scopeSettings('$1', '$2', false)}`, values: [scope, ancestorsOf(scope)] });
      scopes.set(client, scope);
    },
    close: async () => {},
    commits: false,
    isPlannedAnew,
  });

/** One transaction around `work`. */
export const inTx = <T>(pool: pg.Pool, scope: string | undefined, work: (db: Db) => Promise<T>): Promise<T> =>
  around(lazyTx(pool, scope), work);

/**
 * One transaction of the system around a batch. Each statement is planned for what it is given: a plan that was kept from when a queue was
 * empty reads all of it once it is long (seen: a million rows for each batch of 170 terminals).
 */
export const inBulk = <T>(pool: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> =>
  around(lazyTx(pool, undefined, `${BEGIN}; set local plan_cache_mode = force_custom_plan`), work);

async function around<T>(tx: LazyTx, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    const value = await work(tx.db);
    await tx.commit();
    return value;
  } catch (error) {
    await tx.rollback();
    throw error;
  }
}

/** Around what only reads. */
export const readOnly = <T>(pool: pg.Pool, scope: string | undefined, work: (db: Db) => Promise<T>): Promise<T> =>
  readBy(lazyRead(pool, scope), work);

/** What only reads, of tables as `inBulk` writes: whether there is anything to do is asked several times a second, mostly for nothing. */
export const readInBulk = <T>(pool: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> => readBy(lazyRead(pool, undefined, true), work);

async function readBy<T>(reading: LazyTx, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await work(reading.db);
  } finally {
    void reading.rollback();
  }
}
