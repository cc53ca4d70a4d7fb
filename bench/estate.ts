import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@mooring/database/migrate';
import { startEmbeddedPostgres } from '@mooring/server/platform/embedded-postgres/start-embedded-postgres';
import { migrateJobs } from '@mooring/server/platform/jobs/worker';
import pg from 'pg';

/** One run at a time uses it: who measures beside another names a folder of its own. */
const cache = process.env.BENCH_CACHE ?? join(import.meta.dirname, '..', '.cache', 'bench');
const ORGS = 10_000;
/** Of ten thousand organisations one has two hundred units below it. */
const SUBTREE_UNITS = 200;

export interface Estate {
  readonly url: string;
  readonly devices: number;
  query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  /** Until the database does nothing any more: what the work before left behind is no part of the next. */
  rest(): Promise<void>;
  /** A session of a person with a seeded role in a department, as the server would have made it. */
  session(role: string, deptId: number): Promise<string>;
  stop(): Promise<void>;
}

async function seed(client: pg.Client, devices: number): Promise<void> {
  await client.query('set synchronous_commit = off');
  await client.query(`
    insert into org_dept (id, parent_id, dept_path, kind, name) overriding system value
    select 100000 + n, 2, '1.2.' || (100000 + n) || '.', 'organisation', 'Organisation ' || n from generate_series(1, ${ORGS}) n;
    insert into org_dept (id, parent_id, dept_path, kind, name) overriding system value
    select 200000 + n, 100001, '1.2.100001.' || (200000 + n) || '.', 'organisation', 'Branch ' || n from generate_series(1, ${SUBTREE_UNITS}) n;
    insert into product_product (code, name, category, publish_status, package_kinds, dept_id, dept_path)
    select 'BENCH-' || n, 'Product ' || n, 'smartPos', '1', '{firmware}', 1, '1.' from generate_series(1, 20) n;`);
  const step = 250_000;
  for (let from = 1; from <= devices; from += step)
    await client.query(
      `insert into device (sn, name, status, product_id, dept_id, dept_path, firmware, time_zone, activated_at, created_at)
       select 'B' || lpad(n::text, 10, '0'), 'Terminal ' || md5(n::text), case when n % 10 = 0 then '2' else '3' end, p.id, o.id, o.dept_path,
         '1.' || (n % 5) || '.0', 'UTC', now(), now() - make_interval(secs => ($3 - n))
       from generate_series($1::bigint, $2::bigint) n
         join org_dept o on o.id = case when n % 100 = 0 then 200001 + (n / 100) % ${SUBTREE_UNITS} else 100001 + n % ${ORGS} end
         join product_product p on p.code = 'BENCH-' || (1 + n % 20)`,
      [from, Math.min(devices, from + step - 1), devices],
    );
  await client.query('insert into device_presence (device_id, online, seen_at, battery) select id, true, now(), 80 from device');
  await client.query('vacuum analyze');
}

/** A database made of the one before it, kept for the next run too unless each run wants a fresh one. */
export interface Derived {
  readonly name: string;
  readonly fresh?: boolean;
  make?(url: string): Promise<void>;
}

async function derive(root: pg.Client, from: string, to: Derived, url: (database: string) => string): Promise<string> {
  const name = `${from}_${to.name}`;
  const there = await root.query('select from pg_database where datname = $1', [name]);
  if (there.rowCount !== 0 && !to.fresh) {
    await migrate(url(name));
    return name;
  }
  const started = performance.now();
  for (const old of [name, `${name}_half`]) await root.query(`drop database if exists ${old} with (force)`);
  await root.query(`create database ${name}_half template ${from} strategy file_copy`);
  await to.make?.(url(`${name}_half`));
  await root.query(`alter database ${name}_half rename to ${name}`);
  // What was copied is on the disk before anything is measured.
  await root.query('checkpoint');
  console.log(`made ${name} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return name;
}

async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
}

/** A database with so many devices in ten thousand organisations, made by the database itself and kept for the next run. */
export async function openEstate(devices: number, derived: readonly Derived[] = []): Promise<Estate> {
  const dataDir = join(cache, 'postgres');
  mkdirSync(dataDir, { recursive: true });
  const server = await startEmbeddedPostgres({ dataDir, durable: true, log: () => undefined });
  const url = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href;
  let name = `bench_${devices}`;
  const root = new pg.Client({ connectionString: server.url });
  await root.connect();
  const there = await root.query("select from pg_database where datname = $1 and not datname like '%half'", [name]);
  if (there.rowCount === 0) {
    const started = performance.now();
    await root.query(`drop database if exists ${name}_half with (force)`);
    await root.query(`create database ${name}_half template template0 encoding 'UTF8'`);
    await migrate(url(`${name}_half`));
    await migrateJobs(url(`${name}_half`));
    const client = new pg.Client({ connectionString: url(`${name}_half`) });
    await client.connect();
    await client.query(`insert into org_dept (id, parent_id, dept_path, kind, name) overriding system value values
      (1, null, '1.', 'platform', 'Mooring'), (2, 1, '1.2.', 'productLine', 'Payment terminals') on conflict do nothing`);
    await seed(client, devices);
    await client.end();
    await root.query(`alter database ${name}_half rename to ${name}`);
    console.log(`seeded ${devices} devices in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  } else await migrate(url(name));
  for (const one of derived) name = await derive(root, name, one, url);
  await root.end();
  const pool = new pg.Pool({ connectionString: url(name), max: 4 });
  // Said of connections that rest while the server is stopped.
  pool.on('error', () => undefined);
  const query = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await pool.query<T>(text, values)).rows;
  return {
    url: url(name),
    devices,
    query,
    async rest() {
      for (let quiet = 0; quiet < 3; ) {
        const busy = await query(
          `select from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
        );
        quiet = busy.length === 0 ? quiet + 1 : 0;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
    async session(role, deptId) {
      const token = randomBytes(32).toString('base64url');
      const account = `bench-${role}-${deptId}`;
      await query(
        `insert into account_user (account, name, category, user_type, dept_id, dept_path) select $1, $1, '1', '1', id, dept_path from org_dept where id = $2
         on conflict do nothing`,
        [account, deptId],
      );
      await query(
        `insert into access_user_role (user_id, role_id) select u.id, r.id from account_user u, access_role r where u.account = $1 and r.code = $2 on conflict do nothing`,
        [account, role],
      );
      await query(
        `insert into auth_session (token_hash, user_id, platform, ip, expires_at, proved_at)
         select $1, id, 'centre', '127.0.0.1', now() + interval '1 day', now() from account_user where account = $2`,
        [createHash('sha256').update(token).digest(), account],
      );
      return token;
    },
    async stop() {
      await pool.end();
      const last = derived.at(-1);
      if (last?.fresh) await dropDatabase(server.url, name);
      await server.stop();
    },
  };
}
