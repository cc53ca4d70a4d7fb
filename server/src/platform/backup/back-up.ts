import { createReadStream, createWriteStream, existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import yazl from 'yazl';
import { describe } from './describe.ts';
import { filesPrefix, isKept, jobsEntry, type Manifest, manifestEntry, rowsEntry } from './manifest.ts';
import { sealFor } from './sealed-backup.ts';

export interface BackUpOptions {
  readonly url: string;
  readonly dataDir: string;
  /** Where to write; must not be there yet. */
  readonly file: string;
  readonly now: Date;
  /** A public key of the age format: only its key opens the backup. */
  readonly recipient?: string | undefined;
}

export type BackedUp = Manifest & {
  /** What it holds that opens or vouches for everything else. */
  readonly secrets: readonly string[];
};

/**
 * Rows, files, master key and device authority in one archive, also of a running installation: rows are those of one
 * moment, and files are read afterwards, since rows name files and never the other way round.
 */
export async function backUp({ url, dataDir, file, now, recipient }: BackUpOptions): Promise<BackedUp> {
  if (existsSync(file)) throw new Error(`${file} is there already.`);
  const unfinished = `${file}.part`;
  const archive = new yazl.ZipFile();
  // It holds the master key.
  const plain = archive.outputStream as unknown as Readable;
  const readable = recipient ? await sealFor(recipient, plain, now) : plain;
  const written = pipeline(readable, createWriteStream(unfinished, { mode: 0o600, flush: true }));
  try {
    const manifest = await Promise.race([
      fill(archive, url, dataDir, now),
      written.then(() => Promise.reject(new Error('The archive ended early.'))),
    ]);
    archive.end();
    await written;
    renameSync(unfinished, file);
    return manifest;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

async function fill(archive: yazl.ZipFile, url: string, dataDir: string, now: Date): Promise<BackedUp> {
  const rows = await addRows(archive, url);
  const added = await addFiles(archive, dataDir);
  const files = added.length;
  const manifest: Manifest = { format: 1, product: 'mooring', madeAt: now.toISOString(), ...rows, files };
  archive.addBuffer(Buffer.from(JSON.stringify(manifest, null, 2)), manifestEntry);
  const secrets = kinds.filter(({ holds }) => added.some((path) => holds.test(path))).map(({ what }) => what);
  return { ...manifest, secrets };
}

/** One entry after the other: the next stream is opened when this one has been read. */
async function add(archive: yazl.ZipFile, stream: Readable, name: string, compress: boolean): Promise<void> {
  const read = finished(stream, { writable: false });
  archive.addReadStream(stream, name, { compress, forceZip64Format: true });
  await read;
}

async function addRows(archive: yazl.ZipFile, url: string): Promise<Omit<Manifest, 'format' | 'product' | 'madeAt' | 'files'>> {
  const client = new pg.Client({ connectionString: url, application_name: 'mooring backup' });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const described = await describe(client);
    const tables: Manifest['tables'] = [];
    for (const { name, columns } of described.tables) {
      const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
      const stream = client.query(copyTo(`copy (select ${list} from ${client.escapeIdentifier(name)}) to stdout`));
      await add(archive, stream, rowsEntry(name), true);
      tables.push({ name, columns, rows: stream.rowCount });
    }
    const jobs = await client.query<{ job: object }>(queuedJobs);
    await add(archive, Readable.from(jobs.rows.map(({ job }) => `${JSON.stringify(job)}\n`)), jobsEntry, true);
    await client.query('commit');
    return { ...described, tables, jobs: jobs.rows.length };
  } finally {
    await client.end();
  }
}

/** By what they mean and not as rows: the job library changes its tables on its own. */
const queuedJobs = `
  select json_build_object('task', t.identifier, 'payload', j.payload, 'queue', q.queue_name, 'runAt', j.run_at, 'maxAttempts', j.max_attempts,
    'key', j.key, 'priority', j.priority, 'flags', (select array_agg(flag) from jsonb_object_keys(j.flags) flag)) as job
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.attempts < j.max_attempts order by j.id`;

const kinds = [
  { what: 'the master key', holds: /^master\.key$/ },
  { what: 'the roots of the device authority and of the release keys', holds: /^authority[\\/].+\.key$/ },
];

async function addFiles(archive: yazl.ZipFile, dataDir: string): Promise<string[]> {
  const found = globSync('**', { cwd: dataDir, exclude: (name) => !isKept(name) }).filter(
    (path) => isKept(path) && isFile(join(dataDir, path)),
  );
  const added: string[] = [];
  for (const path of found) {
    const stream = createReadStream(join(dataDir, path));
    const isThere = await new Promise<boolean>((resolve) => {
      // An upload's part that was finished or given up meanwhile.
      stream.once('error', () => resolve(false)).once('open', () => resolve(true));
    });
    if (!isThere) continue;
    await add(archive, stream, `${filesPrefix}${path.replaceAll('\\', '/')}`, false);
    added.push(path);
  }
  return added;
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
