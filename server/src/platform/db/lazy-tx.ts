import { createHash } from 'node:crypto';
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

/** A transaction that begins with its first query, so that a call that only computes holds no connection. */
export interface LazyTx {
  readonly db: Db;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

const NAMED_STATEMENTS = 400;
const names = new Map<string, Map<string, string>>();

/** Named statements are planned once a connection; only the first few hundred texts get a name, so that none grows without bound. */
function nameOf(sql: string, weight: string): string | undefined {
  let of = names.get(weight);
  if (!of) {
    of = new Map();
    names.set(weight, of);
  }
  const known = of.get(sql);
  if (known) return known;
  if (of.size >= NAMED_STATEMENTS) return undefined;
  const name = createHash('sha1').update(weight).update(sql).digest('base64url');
  of.set(sql, name);
  return name;
}

async function run(client: pg.PoolClient, query: CompiledQuery, weight: string): Promise<QueryResult<never>> {
  const name = nameOf(query.sql, weight);
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

const beginIn = (scope: string) => `begin; select set_config('mooring.scope', ${pg.escapeLiteral(scope)}, true)`;

/** `scope` is the path that owned rows start with; none for the system's own transactions. */
export function lazyTx(pool: pg.Pool, scope: string | undefined, beginning = scope === undefined ? 'begin' : beginIn(scope)): LazyTx {
  const weight = scope === undefined ? '' : weightOf(scope);
  let client: Promise<pg.PoolClient> | undefined;
  let opening: Promise<unknown> = Promise.resolve();
  let last: Promise<unknown> = Promise.resolve();
  let ended = false;
  const begin = async () => {
    const taken = await pool.connect();
    // It goes out together with the first query: nobody waits for its answer alone.
    opening = taken.query(beginning);
    return taken;
  };
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      if (ended) return Promise.reject(new Error('the transaction is over'));
      client ??= begin();
      const held = client;
      // Those that are asked together are sent together, in their order: the database answers both in one go.
      const next = held.then(async (taken) => (await Promise.all([run(taken, query, weight), opening]))[0]);
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
      await held.query(word);
      held.release();
    } catch (error) {
      held.release(true);
      if (word === 'commit') throw error;
    }
  };
  return {
    db: new Kysely<DB>({ dialect: dialectOf(connection) }),
    commit: () => end('commit'),
    rollback: () => end('rollback').catch(() => {}),
  };
}

/** One transaction around `work`. */
export const inTx = <T>(pool: pg.Pool, scope: string | undefined, work: (db: Db) => Promise<T>): Promise<T> =>
  around(lazyTx(pool, scope), work);

/**
 * One transaction of the system around a batch. Each statement is planned for what it is given: a plan that was kept from when a queue was
 * empty reads all of it once it is long (seen: a million rows for each batch of 170 terminals).
 */
export const inBulk = <T>(pool: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> =>
  around(lazyTx(pool, undefined, 'begin; set local plan_cache_mode = force_custom_plan'), work);

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

/** One transaction around what only reads: its end is waited for by nobody. */
export async function look<T>(pool: pg.Pool, scope: string | undefined, work: (db: Db) => Promise<T>): Promise<T> {
  const tx = lazyTx(pool, scope);
  try {
    return await work(tx.db);
  } finally {
    void tx.rollback();
  }
}
