import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/database.ts';
import { asOwner } from '../../../test/test-server.ts';
import { type SessionLocks, sessionLocks, type Take } from './session-locks.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
function locksAt(url: string): SessionLocks {
  const locks = sessionLocks(url);
  ends.push(locks.end);
  return locks;
}

/** A way to the database that may refuse, accept and say nothing, or lose what is behind it without a word. */
async function way() {
  const sockets: Socket[] = [];
  const pairs: (readonly [near: Socket, far: Socket])[] = [];
  const state = { mode: 'open' as 'open' | 'refuse' | 'silent', refused: 0 };
  const { host, port } = new pg.Client({ connectionString: database.url });
  const server = createServer((near) => {
    sockets.push(near.on('error', () => {}));
    if (state.mode === 'refuse') {
      state.refused += 1;
      near.destroy();
    }
    if (state.mode !== 'open') return;
    const far = (host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)).on('error', () => {});
    sockets.push(far);
    pairs.push([near, far]);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const one of sockets) one.destroy();
    server.close();
  });
  const url = new URL(database.url);
  url.search = '';
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    state,
    lose: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far).resume();
        far.unpipe(near).destroy();
      }
    },
    cut: () => {
      for (const one of sockets.splice(0)) one.destroy();
    },
  };
}

const take =
  (key: number): Take =>
  (session) =>
    session.query(`select pg_advisory_lock_shared(4711, ${key})`);
const count = (key: number, granted: boolean) =>
  asOwner(database.url, async (client) => {
    const { rows } = await client.query(
      `select count(distinct pid)::int as n from pg_locks where locktype = 'advisory' and classid = 4711 and objid = $1 and granted = $2
       and database = (select oid from pg_database where datname = current_database())`,
      [key, granted],
    );
    return rows[0].n as number;
  });
const held = (key: number) => expect.poll(() => count(key, true), { interval: 200 });

test('a process that finds the database away holds its locks once it is back, and one that must have it is told', async () => {
  const to = await way();
  to.state.mode = 'refuse';
  const locks = locksAt(to.url);
  await expect(locks.hold(take(1))).rejects.toThrow();
  locks.keep(take(2));
  await expect.poll(() => to.state.refused).toBeGreaterThan(1);
  to.state.mode = 'open';
  await held(2).toBe(1);
  expect(await count(1, true)).toBe(0);
  await locks.hold(take(1));
  await held(1).toBe(1);
});

test('a lock whose taking was interrupted by a loss of the session is taken, beside those that were held', async () => {
  const locks = locksAt(database.url);
  await locks.hold(take(3));
  await asOwner(database.url, async (client) => {
    await client.query('select pg_advisory_lock(4711, 4)');
    locks.keep(take(4));
    await expect.poll(() => count(4, false)).toBe(1);
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mooring locks' and datname = current_database()",
    );
  });
  await held(4).toBe(1);
  await held(3).toBe(1);
});

test('a session that was lost without a word is noticed, and what it held is taken again', async () => {
  const to = await way();
  const locks = locksAt(to.url);
  await locks.hold(take(5));
  to.lose();
  await held(5).toBe(0);
  await held(5).toBe(1);
});

test('a process ends although the database accepts and never answers', async () => {
  const to = await way();
  const locks = locksAt(to.url);
  await locks.hold(take(6));
  to.state.mode = 'silent';
  to.cut();
  await held(6).toBe(0);
  await locks.end();
});
