import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const AGAIN_MS = 1000;

/** Takes a lock of the session. @throws where somebody else holds it. */
export type Take = (session: pg.Client) => Promise<unknown>;

export interface SessionLocks {
  /** Takes a lock now, and again whenever the session was lost meanwhile. @throws what `take` throws the first time. */
  hold(take: Take): Promise<void>;
  /** Lets go of all of them. */
  end(): Promise<void>;
}

/**
 * What a process holds as long as it lives, in one session for all of it: whatever ends the process ends the session, and with it the locks.
 * A session that was lost holds nothing for a moment; whoever relies on a lock allows for that.
 */
export function sessionLocks(url: string, onLost?: (error: Error) => void): SessionLocks {
  const held = new Set<Take>();
  const ending = new AbortController();
  const { signal } = ending;
  let session: Promise<pg.Client> | undefined;

  const wait = () => sleep(AGAIN_MS, undefined, { ref: false, signal });
  const warn = (error: unknown) => onLost?.(error instanceof Error ? error : new Error(String(error)));

  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'mooring locks',
      // A machine that vanished must not keep them for hours.
      options: '-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
    });
    client.on('error', () => {});
    const gone = new Promise((resolve) => client.once('end', resolve));
    await client.connect();
    let isGone = false;
    void gone.then(() => {
      isGone = true;
      if (signal.aborted) return;
      session = openAgain();
      session.catch(() => {});
    });
    // What somebody else has taken meanwhile keeps no other lock from being taken.
    const takeAgain = async (take: Take): Promise<void> => {
      try {
        await take(client);
      } catch (error) {
        if (isGone || signal.aborted) return;
        warn(error);
        void wait().then(
          () => takeAgain(take),
          () => undefined,
        );
      }
    };
    for (const take of held) await takeAgain(take);
    return client;
  };
  const openAgain = async (): Promise<pg.Client> => {
    for (;;) {
      await wait();
      try {
        return await open();
      } catch (error) {
        warn(error);
      }
    }
  };

  return {
    async hold(take) {
      session ??= open();
      await take(await session);
      held.add(take);
    },
    async end() {
      ending.abort();
      const client = await session?.catch(() => undefined);
      await client?.end().catch(() => {});
    },
  };
}
