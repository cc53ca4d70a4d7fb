import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import type { Account } from './account.ts';
import { type Cluster, superuser } from './cluster.ts';

export const databaseName = 'mooring';

/** Where the database listens: a socket in the cluster's folder, and a loopback port where one is wanted. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly arguments: readonly string[];
}

// The kernel's limit for a socket's whole path, with `/.s.PGSQL.5432` and the end mark taken off.
const longestFolder = process.platform === 'darwin' ? 88 : 92;

/** A folder with a short name for a cluster with a long one; ours alone. */
function shortFolder(cluster: string, account: Account | undefined): string {
  const folder = join(tmpdir(), `mooring-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const wanted = account?.uid ?? process.getuid?.();
  if (account && lstatSync(folder).uid === 0) chownSync(folder, account.uid, account.gid);
  const { uid, mode } = lstatSync(folder);
  if (uid !== wanted || (mode & 0o170_077) !== 0o040_000)
    throw new Error(`${folder} belongs to someone else: remove it, or choose a shorter DATA_DIR.`);
  return folder;
}

export function socketFolder({ folder, account }: Pick<Cluster, 'folder' | 'account'>): string {
  return Buffer.byteLength(folder) <= longestFolder ? folder : shortFolder(folder, account);
}

export async function choosePlace(cluster: Cluster, port: number | undefined): Promise<Place> {
  if (process.platform === 'win32') {
    const chosen = port ?? (await freePort());
    return { host: '127.0.0.1', port: chosen, arguments: ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${chosen}`] };
  }
  const host = socketFolder(cluster);
  // '.' is the cluster's folder, which its processes may not be able to reach by its path.
  const sockets = host === cluster.folder ? '.' : host;
  const number = port ?? 5432;
  return {
    host,
    port: number,
    arguments: [
      '-c',
      `listen_addresses=${port ? '127.0.0.1' : ''}`,
      '-c',
      `port=${number}`,
      '-c',
      `unix_socket_directories=${sockets}`,
      '-c',
      'unix_socket_permissions=0700',
    ],
  };
}

export function urlOf(place: Pick<Place, 'host' | 'port'>, password: string, database = databaseName): string {
  return `postgres://${superuser}:${password}@localhost:${place.port}/${database}?host=${encodeURIComponent(place.host)}`;
}

/** Makes the database on the first start. Answers false while the server is still starting. */
export async function prepareDatabase(place: Place, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(place, password, 'postgres'), connectionTimeoutMillis: 5000 });
  // A server that dies while it is asked says so through its process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
    return true;
  } catch (error) {
    if (isStarting(error)) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const starting = new Set(['57P03', 'ECONNREFUSED', 'ENOENT', 'ECONNRESET']);
const isStarting = (error: unknown) =>
  starting.has((error as { code?: string }).code ?? '') || /terminated unexpectedly|timeout/i.test((error as Error).message);
