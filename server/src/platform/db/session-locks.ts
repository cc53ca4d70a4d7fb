import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const AGAIN_MS = 1000;
/** So often the session is asked whether it is there: a firewall or a machine that vanished says nothing. */
const BEAT_MS = 5000;
/** For an answer of a session that may be gone. */
const PATIENCE_MS = 10_000;
const END_MS = 2000;

/** Takes a lock of the session. @throws where somebody else holds it. */
export type Take = (session: pg.Client) => Promise<unknown>;

export interface SessionLocks {
  /** Takes a lock now, and again whenever the session was lost meanwhile. @throws what `take` throws the first time; then it isn't held. */
  hold(take: Take): Promise<void>;
  /** Takes a lock as soon as it can be had, and again whenever the session was lost meanwhile. */
  keep(take: Take): void;
  /** Lets go of all of them, also where the database doesn't answer. */
  end(): Promise<void>;
}

/**
 * What a process holds as long as it lives, in one session for all of it: whatever ends the process ends the session, and with it the locks.
 * A session that was lost holds nothing for a moment; whoever relies on a lock allows for that.
 */
export function sessionLocks(url: string, onLost?: (error: Error) => void): SessionLocks {
  const held = new Set<Take>();
  const trying = new Set<Take>();
  const ending = new AbortController();
  const { signal } = ending;
  let session: Promise<pg.Client> | undefined;
  let socket: Socket | undefined;

  const connect = async (): Promise<pg.Client> => {
    const own = new Socket();
    socket = own;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'mooring locks',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      stream: () => own,
      // A machine that vanished must not keep them for hours.
      options: '-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    });
    client.on('error', () => {});
    await client.connect();
    const beat = setInterval(() => void client.query('select 1').catch(() => own.destroy()), BEAT_MS).unref();
    client.once('end', () => {
      clearInterval(beat);
      session = undefined;
      for (const take of held) void again(take);
    });
    return client;
  };
  const open = (): Promise<pg.Client> => {
    signal.throwIfAborted();
    session ??= connect().catch((error: unknown) => {
      session = undefined;
      throw error;
    });
    return session;
  };

  /** Until it is taken. What somebody else holds keeps no other lock from being taken. */
  async function again(take: Take): Promise<void> {
    if (trying.has(take)) return;
    trying.add(take);
    while (!signal.aborted) {
      const asked = open();
      try {
        await take(await asked);
        if (session === asked) break;
      } catch (error) {
        if (signal.aborted) break;
        onLost?.(error instanceof Error ? error : new Error(String(error)));
        await sleep(AGAIN_MS, undefined, { ref: false, signal }).catch(() => {});
      }
    }
    trying.delete(take);
  }

  return {
    async hold(take) {
      const asked = open();
      await take(await asked);
      held.add(take);
      // Lost while it was being taken.
      if (session !== asked) void again(take);
    },
    keep(take) {
      held.add(take);
      void again(take);
    },
    async end() {
      ending.abort();
      const closed = session?.then((client) => client.end()).catch(() => {});
      await Promise.race([closed, sleep(END_MS, undefined, { ref: false })]);
      socket?.destroy();
    },
  };
}
