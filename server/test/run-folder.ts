import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Two workers' databases and files, with room to spare. */
const ENOUGH = 4 * 1024 ** 3;

const nameOf = (pid: number) => `mooring-tests-${pid}-`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What a run that was killed could not remove. Another account's stays. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(/^mooring-tests-(\d+)-/.exec(name)?.[1]);
    if (pid && !isAlive(pid))
      try {
        rmSync(join(parent, name), { recursive: true, force: true });
      } catch {}
  }
}

/** Memory that is there, has room, and lets programs be started from it: a database may bring its own. */
function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH) return false;
    const script = join(MEMORY, `${nameOf(process.pid)}started`);
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o700 });
    const { status } = spawnSync(script);
    rmSync(script);
    return status === 0;
  } catch {
    return false;
  }
}

let made: { readonly path: string; readonly isInMemory: boolean } | undefined;

/** The folder of a run, the temporary one of everything that it starts: in memory where there is room, for a busy disk makes every test wait. */
export function runFolder(): { readonly path: string; readonly isInMemory: boolean } {
  if (made) return made;
  const isInMemory = hasMemory();
  const parent = isInMemory ? MEMORY : tmpdir();
  mkdirSync(parent, { recursive: true });
  removeLeftovers(parent);
  const path = mkdtempSync(join(parent, nameOf(process.pid)));
  // Started by root, a database runs as an account of its own, and has to get through.
  chmodSync(path, 0o711);
  made = { path, isInMemory };
  process.env.TMPDIR = path;
  process.once('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  return made;
}
