import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

const LOCK = '7061, 2';
/** A killed process's session ends a moment after it. */
const PATIENCE_MS = 5000;
const AGAIN_MS = 1000;

/** What holds the lock, for the one who has to stop it. */
const holders = `select string_agg(distinct coalesce(host(a.client_addr), 'this machine'), ', ') as at
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.classid = 7061 and l.objid = 2 and l.database = (select oid from pg_database where datname = current_database())`;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mooring broker lock',
    // A machine that vanished must not keep the lock for hours.
    options: '-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function take(client: pg.Client, isAlone: boolean, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock${isAlone ? '' : '_shared'}(${LOCK}) as taken`);
    if (rows[0]?.taken) return;
    if (performance.now() > until) break;
    await sleep(100);
  }
  const at = (await client.query<{ at: string | null }>(holders)).rows[0]?.at ?? 'another machine';
  throw new Error(
    isAlone
      ? `Another server process (${at}) serves terminals on this database already, and the MQTT broker inside a process is known to that process alone. Set MQTT_URL to one broker for all of them, or stop the other.`
      : `Another server process (${at}) serves terminals of this database with the MQTT broker inside it. Stop it, or give it the same MQTT_URL.`,
  );
}

/**
 * Processes with a broker of their own serve a database alone: a second one's messages would go to terminals that are elsewhere.
 * Held by a session, so that it ends with the process, whatever ends it.
 */
export async function holdBroker(url: string, isAlone: boolean, log: Logger, patienceMs = PATIENCE_MS): Promise<() => Promise<void>> {
  let isStopped = false;
  let client = await connect(url);
  const guard = () =>
    client.once('end', async () => {
      // The database went away; once it is back, the lock is taken again.
      while (!isStopped) {
        await sleep(AGAIN_MS, undefined, { ref: false });
        if (isStopped) return;
        try {
          const next = await connect(url);
          client = next;
          await take(next, isAlone, 0).catch((error: unknown) => {
            void next.end();
            throw error;
          });
          guard();
          return;
        } catch (error) {
          log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the place at the broker is not held');
        }
      }
    });
  try {
    await take(client, isAlone, patienceMs);
  } catch (error) {
    await client.end();
    throw error;
  }
  guard();
  return async () => {
    isStopped = true;
    await client.end().catch(() => {});
  };
}
