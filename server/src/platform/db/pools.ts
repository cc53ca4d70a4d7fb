import pg from 'pg';
import { type SessionLocks, sessionLocks } from './session-locks.ts';

// Identity columns and counts stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// A day of the calendar has no time zone that it could be shifted by.
pg.types.setTypeParser(pg.types.builtins.DATE, String);

export interface Pools {
  /** For who opens connections of its own. */
  readonly url: string;
  /** Bound by the range policies: persons and their jobs. */
  readonly app: pg.Pool;
  /** Past the range policies. */
  readonly system: pg.Pool;
  /** The owner: jobs' own tables, migrations, backup. */
  readonly owner: pg.Pool;
  /** What this process holds as long as it lives. */
  readonly locks: SessionLocks;
  end(): Promise<void>;
}

export interface PoolOptions {
  readonly max?: number;
  readonly onError?: (error: Error) => void;
  readonly onLockLost?: (error: Error) => void;
}

/** Connections that take their role for life; a separate pool each, so that a scoped transaction may wait for an unscoped one. */
export function openPools(url: string, options: PoolOptions = {}): Pools {
  const max = options.max ?? 12;
  let isEnding = false;
  // A connection that said goodbye may still be told that the database stops.
  const lost = (error: Error) => {
    if (!isEnding) options.onError?.(error);
  };
  const open = (role: string | undefined, size: number, idleSeconds: number) => {
    const pool = new pg.Pool({
      connectionString: url,
      max: size,
      application_name: `mooring ${role ?? 'owner'}`,
      options: role ? `-c role=${role} -c default_transaction_read_only=on` : undefined,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: idleSeconds * 1000,
      allowExitOnIdle: true,
      pipeline: role !== undefined,
    });
    // A server that goes away breaks idle connections; the next query opens new ones.
    pool.on('error', lost);
    pool.on('connect', (client) => client.on('error', lost));
    return pool;
  };
  // A person's next click finds a connection that knows its statements; what the system's own looks open now and then is memory for nothing.
  const app = open('mooring_app', max, 30);
  const system = open('mooring_system', max, 5);
  const owner = open(undefined, 4, 10);
  const locks = sessionLocks(url, options.onLockLost);
  const end = async () => {
    isEnding = true;
    await Promise.all([app.end(), system.end(), owner.end(), locks.end()]);
  };
  return { url, app, system, owner, locks, end };
}
