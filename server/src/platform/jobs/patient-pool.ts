import type pg from 'pg';
import { isAway } from '../db/away.ts';

/** What the job library knows as passing; a broken pipe or a full disk it doesn't, and ends the process that it runs in. */
const PASSING = '57P03';

const coded = (error: unknown): never => {
  throw isAway(error) ? Object.assign(error as Error, { code: PASSING }) : error;
};

/** The same object with its own methods, one of them in another way. */
export const withOne = <T extends object>(target: T, name: keyof T, made: (...args: never[]) => unknown): T =>
  new Proxy(target, {
    get(of, key) {
      if (key === name) return made;
      const value = Reflect.get(of, key);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });

/** A pool for the job library: whatever passes is named so that it waits and tries again. */
export function patientPool(pool: pg.Pool): pg.Pool {
  const patient = (client: pg.PoolClient): pg.PoolClient =>
    withOne(client, 'query', (...args) => {
      const asked: unknown = Reflect.apply(client.query, client, args);
      return asked instanceof Promise ? asked.catch(coded) : asked;
    });
  return withOne(pool, 'connect', (...args) =>
    // With a callback it listens for news, and tries again by itself.
    args.length > 0 ? Reflect.apply(pool.connect, pool, args) : pool.connect().then(patient, coded),
  );
}
