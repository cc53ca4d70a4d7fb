import type pg from 'pg';
import type { Logger } from 'pino';

export interface DatabaseClock {
  now(): Date;
  stop(): void;
}

const AGAIN_MS = 10_000;
/** A slower answer says too little about when it was given. */
const PATIENCE_MS = 1000;

interface Reading {
  readonly at: number;
  readonly since: number;
}

async function read(pool: pg.Pool): Promise<Reading & { readonly took: number }> {
  const asked = performance.now();
  const { rows } = await pool.query<{ ms: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
  const answered = performance.now();
  return { at: rows[0]?.ms ?? Date.now(), since: (asked + answered) / 2, took: answered - asked };
}

/**
 * The time of all processes is the database's: half of it is written by statements, and a process whose own clock is off by minutes would
 * find due what isn't and the other way round. Between two readings it runs by a time that nobody sets.
 */
export async function followDatabaseClock(
  pool: pg.Pool,
  log: Pick<Logger, 'warn'>,
  onAnswer: () => void = () => {},
  againMs = AGAIN_MS,
): Promise<DatabaseClock> {
  let reading: Reading = await read(pool);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const again = () => {
    read(pool)
      .then((next) => {
        onAnswer();
        if (next.took < PATIENCE_MS) reading = next;
      })
      .catch((error: unknown) => log.warn({ error: String(error) }, 'the clock of the database is not read'))
      .finally(() => {
        if (!isStopped) timer = setTimeout(again, againMs).unref();
      });
  };
  timer = setTimeout(again, againMs).unref();
  const off = Math.round((reading.at - Date.now()) / 1000);
  if (Math.abs(off) > 60) log.warn({ seconds: off }, 'the clock of this machine is off; the time of the database is used');
  return {
    now: () => new Date(reading.at + performance.now() - reading.since),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
