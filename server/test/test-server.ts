import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { migrate, migrationNames, migrationsFolder } from '@mooring/database/migrate';
import pg from 'pg';
import { acquireDataDir, type DataDir } from '../src/platform/data-dir.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/start-embedded-postgres.ts';
import { migrateJobs } from '../src/platform/jobs/worker.ts';
import { runFolder } from './run-folder.ts';

export interface TestServer {
  /** Of the server, not of a database to use. */
  readonly url: string;
  /** Migrated, cloned by each test. */
  readonly template: string;
  stop(): Promise<void>;
}

const cache = join(import.meta.dirname, '..', '..', '.cache');

/** The server that tests use: `TEST_DATABASE_URL`, else an embedded one. What it begins with is kept for the next run. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, template: await makeTemplate(given), stop: async () => undefined };
  const run = runFolder();
  const kept = freeDataDir();
  if (!run.isInMemory) return startOn(kept.path, () => kept.release());
  const mark = join(kept.path, 'holds-template');
  try {
    if (!existsSync(mark) || readFileSync(mark, 'utf8') !== templateName()) {
      rmSync(mark, { force: true });
      const made = await startOn(kept.path, () => undefined);
      await untilAlone(made.url);
      await made.stop();
      writeFileSync(mark, templateName());
    }
    const copy = join(run.path, 'postgres');
    copyFolder(kept.path, copy);
    return await startOn(copy, () => undefined);
  } finally {
    kept.release();
  }
}

async function startOn(dataDir: string, released: () => void): Promise<TestServer> {
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
  const stop = async () => {
    await server.stop();
    released();
  };
  try {
    await dropLeftovers(server.url);
    return { url: server.url, template: await makeTemplate(server.url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The job library's connections close behind our back; one that the database's end cuts off would end this process. */
export const untilAlone = (url: string): Promise<void> =>
  asOwner(url, async (client) => {
    const others = "select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
    await untilNone(client, others);
  });

/** A connection that was closed is seen to be gone a moment later. */
export const untilLeft = (client: pg.Client, database: string): Promise<void> =>
  untilNone(client, 'select from pg_stat_activity where datname = $1', [database]);

async function untilNone(client: pg.Client, query: string, values: readonly string[] = []): Promise<void> {
  while ((await client.query(query, [...values])).rowCount) await setTimeout(20);
}

/** With owners and modes: where a run is root's, the database runs as an account of its own. */
export function copyFolder(from: string, to: string): void {
  if (process.platform === 'win32') {
    cpSync(from, to, { recursive: true });
    return;
  }
  mkdirSync(to, { recursive: true });
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${from} could not be copied: ${stderr}`);
}

/** Runs at the same time have a folder each. */
function freeDataDir(): DataDir {
  for (let number = 1; ; number += 1) {
    const folder = join(cache, `test-postgres-${process.getuid?.() ?? 'user'}`, String(number));
    mkdirSync(folder, { recursive: true });
    try {
      return acquireDataDir(folder, 0);
    } catch (error) {
      if (number === 20 || !existsSync(join(folder, 'mooring.lock'))) throw error;
    }
  }
}

export const inDatabase = (url: string, database: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
};

export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A run that was killed could not drop its databases. */
async function dropLeftovers(url: string): Promise<void> {
  await asOwner(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>("select datname from pg_database where datname like 'mooring\\_test\\_%'");
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  });
}

/** What the template is made from: it is made again only when this changes. */
export function templateName(): string {
  const hash = createHash('sha256');
  for (const name of migrationNames()) hash.update(name).update(readFileSync(join(migrationsFolder, `${name}.sql`)));
  // The job library brings tables of its own; its version is pinned there.
  hash.update(readFileSync(join(import.meta.dirname, '..', 'package.json')));
  return `mooring_template_${hash.digest('hex').slice(0, 16)}`;
}

async function makeTemplate(url: string): Promise<string> {
  const template = templateName();
  await asOwner(url, async (client) => {
    // Two runs on one server.
    await client.query('select pg_advisory_lock(7061001)');
    const made = await client.query('select from pg_database where datname = $1 and datistemplate', [template]);
    if (made.rowCount) return;
    const old = await client.query<{ datname: string }>("select datname from pg_database where datname like 'mooring\\_template\\_%'");
    for (const { datname } of old.rows) {
      await client.query(`alter database ${datname} is_template false`);
      await client.query(`drop database ${datname} with (force)`);
    }
    await client.query(`create database ${template} template template0 encoding 'UTF8'`);
    await migrate(inDatabase(url, template));
    await migrateJobs(inDatabase(url, template));
    await client.query(`alter database ${template} is_template true`);
  });
  return template;
}
