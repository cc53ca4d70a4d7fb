import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface DataDir {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Nothing has run in it yet: at most the keys stand there that its operator put in. */
  readonly isFresh: boolean;
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly born: string;
}

/** When a process began: a pid alone may be a later process, above all in a container, where every start is pid 1. */
function bornAt(pid: number): string {
  if (process.platform !== 'linux') return '';
  try {
    // The command in brackets may hold spaces; field 22 is counted from behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    // Ended, and not yet fetched by its parent.
    if (fields?.[0] === 'Z') return 'gone';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields?.[19]}`;
  } catch {
    return 'gone';
  }
}

function isAlive({ pid, born }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return bornAt(pid) === born;
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** The process that works on this data folder now, if one does. */
export function dataDirHolder(dataDir: string): number | undefined {
  const holder = readHolder(join(dataDir, 'mooring.lock'));
  return holder && isAlive(holder) ? holder.pid : undefined;
}

/** Nothing else happens before the folder is ours, so this may block. */
const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** One after the other: where a file system refuses with "no such file", as /proc does, the recursive one tries for minutes. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/**
 * Makes the data folder and keeps a second process off it. A lock that a killed process left is taken over. A holder is
 * given a moment to end: npm returns as soon as it has passed on the signal to stop, while the server still closes.
 */
export function acquireDataDir(dataDir: string, patienceMs = 3000): DataDir {
  try {
    makeFolder(resolve(dataDir));
  } catch (error) {
    throw new Error(`DATA_DIR names ${dataDir}, which can't be made: ${(error as NodeJS.ErrnoException).code}.`);
  }
  const path = realpathSync(dataDir);
  const isFresh = readdirSync(path).every((name) => /^(mooring\.lock|master\.key|lost\+found$)/.test(name));
  const lock = join(path, 'mooring.lock');
  const mine = `${lock}.${process.pid}`;
  const text = JSON.stringify({ pid: process.pid, born: bornAt(process.pid) } satisfies Holder);
  writeFileSync(mine, text, { mode: 0o600 });
  const end = performance.now() + patienceMs;
  try {
    while (!link(mine, lock)) {
      const holder = readHolder(lock);
      if (!holder || !isAlive(holder)) takeAway(lock, holder);
      else if (performance.now() < end) sleep(50);
      else throw new Error(`The data folder ${path} is in use by process ${holder.pid}. Stop that one first, or set another DATA_DIR.`);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return {
    path,
    isFresh,
    release() {
      if (readHolder(lock)?.pid === process.pid) rmSync(lock, { force: true });
    },
  };
}

/** The file appears whole or not at all. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Between reading a stale lock and taking it away, another start may have replaced it: that one goes back. */
function takeAway(lock: string, stale: Holder | undefined): void {
  const aside = `${lock}.stale-${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readHolder(aside);
  if (taken && (taken.pid !== stale?.pid || taken.born !== stale.born)) link(aside, lock);
  rmSync(aside, { force: true });
}
