import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { SessionLocks } from './db/session-locks.ts';

const LOCK = '7061, 2';
/** A killed process's session ends a moment after it. */
const PATIENCE_MS = 5000;

/** What holds the lock, for the one who has to stop it. */
const holders = `select string_agg(distinct coalesce(host(a.client_addr), 'this machine'), ', ') as at
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.classid = 7061 and l.objid = 2 and l.database = (select oid from pg_database where datname = current_database())`;

async function take(session: pg.Client, isAlone: boolean, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await session.query<{ taken: boolean }>(`select pg_try_advisory_lock${isAlone ? '' : '_shared'}(${LOCK}) as taken`);
    if (rows[0]?.taken) return;
    if (performance.now() > until) break;
    await sleep(100);
  }
  const at = (await session.query<{ at: string | null }>(holders)).rows[0]?.at ?? 'another machine';
  throw new Error(
    isAlone
      ? `Another server process (${at}) serves terminals on this database already, and the MQTT broker inside a process is known to that process alone. Set MQTT_URL to one broker for all of them, or stop the other.`
      : `Another server process (${at}) serves terminals of this database with the MQTT broker inside it. Stop it, or give it the same MQTT_URL.`,
  );
}

/** Processes with a broker of their own serve a database alone: a second one's messages would go to terminals that are elsewhere. */
export function holdBroker(locks: SessionLocks, isAlone: boolean, patienceMs = PATIENCE_MS): Promise<void> {
  let patience = patienceMs;
  return locks.hold(async (session) => {
    await take(session, isAlone, patience);
    // Who has lost the place to another asks again by itself.
    patience = 0;
  });
}
