import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

export const superuser = 'mooring';

export interface Cluster {
  readonly folder: string;
  readonly password: string;
  readonly account: Account | undefined;
  readonly binaries: Binaries;
}

/**
 * The cluster as its own processes name it. Under root the data folder is closed to the account of the database,
 * which can't walk to the cluster by its path; but it is started inside, and from there it may.
 */
export const ownName = (cluster: Pick<Cluster, 'folder' | 'account'>): string => (cluster.account ? '/proc/self/cwd' : cluster.folder);

export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres');
const passwordFile = (dataDir: string) => join(dataDir, 'postgres.password');
export const readPassword = (dataDir: string): string => readFileSync(passwordFile(dataDir), 'utf8').trim();

/** Opens the cluster of this data folder; makes it where there is none, or a first start was cut off in the middle. */
export async function openCluster(dataDir: string, account: Account | undefined, binaries: Binaries, durable: boolean): Promise<Cluster> {
  const folder = clusterFolder(dataDir);
  if (!existsSync(folder)) await makeCluster(dataDir, folder, account, binaries, durable);
  const made = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  const major = binaries.version.split('.')[0];
  if (made !== major) {
    throw new Error(
      `${folder} was made by PostgreSQL ${made}, and this version of Mooring brings ${major}.\nBack up with the version that made it (npm run backup), then restore with this one into an empty DATA_DIR.`,
    );
  }
  return { folder, password: readPassword(dataDir), account, binaries };
}

async function makeCluster(
  dataDir: string,
  folder: string,
  account: Account | undefined,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  const password = randomBytes(32).toString('base64url');
  writeFileSync(passwordFile(dataDir), password, { mode: 0o600 });
  const next = `${folder}.new`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { mode: 0o700 });
  const hand = mkdtempSync(join(tmpdir(), 'mooring-initdb-'));
  const handed = join(hand, 'password');
  writeFileSync(handed, password, { mode: 0o600 });
  if (account) {
    chownSync(next, account.uid, account.gid);
    // Read by its group alone: other processes run as the same account.
    for (const [place, mode] of [
      [hand, 0o750],
      [handed, 0o640],
    ] as const) {
      chownSync(place, 0, account.gid);
      chmodSync(place, mode);
    }
  }
  try {
    await initdb(binaries.initdb, next, account, handed, durable);
  } finally {
    rmSync(hand, { recursive: true });
  }
  renameSync(next, folder);
}

function initdb(file: string, folder: string, account: Account | undefined, passwordPath: string, durable: boolean): Promise<void> {
  const argv = [
    '-D',
    ownName({ folder, account }),
    '--username',
    superuser,
    '--pwfile',
    passwordPath,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(file, argv, {
      ...account,
      cwd: folder,
      env: { PATH: process.env.PATH, TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        said += text;
      });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The database could not be made: ${said}`))));
  });
}
