import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { inTx, readInBulk, readOnly } from './lazy-tx.ts';
import { openPools, type Pools } from './pools.ts';

let app: TestApp;
/** Everybody on one connection. */
let pools: Pools;

beforeAll(async () => {
  app = await testApp();
  pools = openPools(app.url, { max: 1 });
  await app.context.unscoped((db) =>
    sql`insert into org_dept (parent_id, dept_path, kind, name) select 2, '1.2.9' || n || '.', 'organisation', 'Harbour ' || n from generate_series(1, 2) n`.execute(
      db,
    ),
  );
});
afterAll(async () => {
  await pools.end();
  await app.stop();
});

const named = (scope: string) =>
  readOnly(pools.app, scope, async (db) => {
    const [own, told] = await Promise.all([
      db.selectFrom('org_dept').select('name').where('kind', '=', 'organisation').execute(),
      sql<{ scope: string }>`select scope_path() as scope`.execute(db),
    ]);
    return [told.rows[0]?.scope, ...own.map((one) => one.name)];
  });
const connection = () =>
  readOnly(pools.app, '1.', async (db) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid);

test('a reading sees its own scope, whoever used the connection before', async () => {
  const before = await connection();
  for (const round of [1, 2, 3]) {
    expect(await named('1.2.91.'), `round ${round}`).toEqual(['1.2.91.', 'Harbour 1']);
    expect(await named('1.2.92.'), `round ${round}`).toEqual(['1.2.92.', 'Harbour 2']);
    await inTx(pools.app, '1.2.91.', (db) =>
      db.updateTable('org_dept').set({ remark: 'seen' }).where('dept_path', '=', '1.2.92.').execute(),
    );
    expect(await named('1.2.92.'), `round ${round}`).toEqual(['1.2.92.', 'Harbour 2']);
  }
  expect(await connection()).toBe(before);
  const remarks = await app.context.readOnly((db) =>
    db.selectFrom('org_dept').select('remark').where('dept_path', '=', '1.2.92.').execute(),
  );
  expect(remarks).toEqual([{ remark: '' }]);
});

test('a look for work keeps no plan from when there was none', async () => {
  const plans = () =>
    readInBulk(pools.system, (db) => sql<{ n: number }>`select count(*)::int as n from pg_prepared_statements`.execute(db));
  const before = (await plans()).rows[0]?.n;
  for (let turn = 0; turn < 7; turn += 1)
    await readInBulk(pools.system, (db) => db.selectFrom('org_dept').select('id').where('name', '=', 'nobody').execute());
  expect((await plans()).rows[0]?.n).toBe(before);
  await readOnly(pools.system, undefined, (db) => db.selectFrom('org_dept').select('id').where('name', '=', 'nobody').execute());
  expect((await plans()).rows[0]?.n).toBe((before ?? 0) + 1);
});

test('many readings at once in several scopes each see their own', async () => {
  const paths = Array.from({ length: 60 }, (_, at) => `1.2.9${1 + (at % 2)}.`);
  const found = await Promise.all(paths.map(named));
  expect(found.map((one) => one[0])).toEqual(paths);
  expect(found.map((one) => one[1])).toEqual(paths.map((path) => `Harbour ${path[5]}`));
});

test('what reads can change nothing, as a person and as the system', async () => {
  const rename = (db: Parameters<Parameters<typeof readOnly>[2]>[0]) => db.updateTable('org_dept').set({ remark: 'changed' }).execute();
  await expect(readOnly(pools.app, '1.2.91.', rename)).rejects.toThrow(/read-only/);
  await expect(readOnly(pools.system, undefined, rename)).rejects.toThrow(/read-only/);
  expect(await named('1.2.91.')).toEqual(['1.2.91.', 'Harbour 1']);
});

test('a scope that could not be set gives no answer, and its connection is not used again', async () => {
  const broken = new pg.Pool({ connectionString: app.url, options: '-c role=mooring_app', max: 1, pipeline: true } as pg.PoolConfig);
  // One that said goodbye may still be told that its database goes.
  broken.on('connect', (client) => client.on('error', () => {}));
  try {
    const client = await broken.connect();
    const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
    const query = client.query.bind(client) as (...of: unknown[]) => unknown;
    // As a cancel that hits just this statement would.
    client.query = ((of: { name?: string }, ...rest: unknown[]) =>
      of.name === 'scope' ? Promise.reject(new Error('canceled')) : query(of, ...rest)) as typeof client.query;
    client.release();
    await expect(readOnly(broken, '1.2.91.', (db) => db.selectFrom('org_dept').select('name').execute())).rejects.toThrow('canceled');
    const next = await broken.connect();
    expect((await next.query('select pg_backend_pid() as pid')).rows[0].pid).not.toBe(pid);
    next.release();
  } finally {
    await broken.end();
  }
});

test('a transaction fails by what broke it, not by what its later statements were told', async () => {
  const broken = inTx(pools.system, undefined, async (db) => {
    const deep = async () => void (await sql`select 1 / 0`.execute(db));
    const deeper = async () => void (await deep());
    await Promise.all([deeper(), sql`select 1`.execute(db), sql`select 2`.execute(db)]);
  });
  await expect(broken).rejects.toMatchObject({ code: '22012' });
});
