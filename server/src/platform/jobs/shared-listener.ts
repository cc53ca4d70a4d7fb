import type pg from 'pg';
import { withOne } from './patient-pool.ts';

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;
interface Line {
  readonly client: Promise<pg.PoolClient>;
  listeners: number;
}

/** The driver takes one query after the other. */
function oneByOne(client: pg.PoolClient): pg.PoolClient {
  let before: Promise<unknown> = Promise.resolve();
  return withOne(client, 'query', (...args) => {
    const asked = before.then(() => Reflect.apply(client.query, client, args));
    before = asked.catch(() => {});
    return asked;
  });
}

/**
 * A pool whose runners listen for news on one connection together: each asks for one with a callback, and would keep it for life. It goes back with the
 * last of them; whoever asks after one has let go, because it broke, gets a new one.
 */
export function sharedListener(pool: pg.Pool): pg.Pool {
  let line: Line | undefined;
  const listen = (connected: Connected) => {
    line ??= { client: pool.connect().then(oneByOne), listeners: 0 };
    const mine = line;
    mine.listeners += 1;
    const release = () => {
      if (line === mine) line = undefined;
      mine.listeners -= 1;
      if (mine.listeners === 0) void mine.client.then((client) => client.release());
    };
    mine.client.then(
      (client) => connected(undefined, client, release),
      (error: Error) => {
        if (line === mine) line = undefined;
        connected(error, undefined, () => {});
      },
    );
  };
  return withOne(pool, 'connect', (...args: unknown[]) => (args.length > 0 ? listen(args[0] as Connected) : pool.connect()) as never);
}
