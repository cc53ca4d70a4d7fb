import { createWriteStream, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { migrate, migrationNames } from '@mooring/database/migrate';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { prepareDatabase } from '../db/prepare.ts';
import { isEmptyDatabase } from './describe.ts';
import { filesPrefix, isKept, jobsEntry, type Manifest, rowsEntry } from './manifest.ts';
import { type Archive, readArchive } from './read-archive.ts';
import { openSealed } from './sealed-backup.ts';
import { withoutChecks } from './without-checks.ts';

export interface RestoreOptions {
  readonly url: string;
  readonly dataDir: string;
  readonly file: string;
  /** The file with the key of a sealed backup. */
  readonly key?: string | undefined;
}

/** Fills an empty installation from a backup of this version or an older one, and brings it to this version. */
export async function restore({ url, dataDir, file, key }: RestoreOptions): Promise<Manifest> {
  const opened = await openSealed(file, key);
  try {
    return await fill(url, dataDir, file, await readArchive(opened.path));
  } finally {
    opened.close();
  }
}

async function fill(url: string, dataDir: string, file: string, archive: Archive): Promise<Manifest> {
  try {
    const { manifest } = archive;
    if (!migrationNames().includes(manifest.version))
      throw new Error(`${file} was made by a newer version of Mooring (${manifest.version}). Restore it with that version.`);
    await refuseIfNotEmpty(url, dataDir);
    await migrate(url, manifest.version);
    await withClient(url, (client) => loadRows(client, archive));
    await prepareDatabase(url);
    await withClient(url, (client) => loadJobs(client, archive));
    for (const name of archive.names.filter((one) => one.startsWith(filesPrefix))) await writeFile(archive, name, dataDir);
    return manifest;
  } finally {
    archive.close();
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'mooring restore' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function refuseIfNotEmpty(url: string, dataDir: string): Promise<void> {
  const kept = readdirSync(dataDir).filter(isKept);
  if (kept.length > 0) throw new Error(`The data folder ${dataDir} is not empty (${kept.join(', ')}). Restore into an empty one.`);
  if (!(await withClient(url, isEmptyDatabase))) throw new Error('The database is not empty. Restore into an empty one.');
}

/** All rows in one transaction. */
async function loadRows(client: pg.Client, archive: Archive): Promise<void> {
  const { tables, partitions, sequences } = archive.manifest;
  const quote = (name: string) => client.escapeIdentifier(name);
  await client.query('begin');
  for (const { name, parent, bound } of partitions)
    await client.query(`create table if not exists ${quote(name)} partition of ${quote(parent)} ${bound}`);
  await withoutChecks(client, async () => {
    // Migrations may have put first rows in.
    await client.query(`truncate ${tables.map(({ name }) => quote(name)).join(', ')}`);
    for (const { name, columns, rows } of tables) {
      const into = client.query(copyFrom(`copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin`));
      await pipeline(await archive.open(rowsEntry(name)), into);
      if (into.rowCount !== rows) throw new Error(`${name}: ${into.rowCount} rows were read and ${rows} were backed up.`);
    }
  });
  for (const { name, last } of sequences) await client.query('select setval(quote_ident($1)::regclass, $2)', [name, last]);
  await client.query('commit');
}

interface Queued {
  task: string;
  payload: unknown;
  queue: string | null;
  runAt: string;
  maxAttempts: number;
  key: string | null;
  priority: number;
  flags: string[] | null;
}

async function loadJobs(client: pg.Client, archive: Archive): Promise<void> {
  for await (const line of createInterface({ input: await archive.open(jobsEntry) })) {
    const { task, payload, queue, runAt, maxAttempts, key, priority, flags } = JSON.parse(line) as Queued;
    await client.query(
      'select graphile_worker.add_job($1, $2::json, queue_name => $3, run_at => $4, max_attempts => $5, job_key => $6, priority => $7, flags => $8)',
      [task, JSON.stringify(payload), queue, runAt, maxAttempts, key, priority, flags],
    );
  }
}

async function writeFile(archive: Archive, name: string, dataDir: string): Promise<void> {
  const path = join(dataDir, name.slice(filesPrefix.length));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(await archive.open(name), createWriteStream(path, { mode: 0o600, flush: true }));
}
