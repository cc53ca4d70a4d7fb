import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The seeds that a fleet takes when it was given none: as many as anybody starts beside one another. */
const SEEDS = 100;

function runs(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Takes the lock for this process, unless a living one holds it. */
function take(lock: string): boolean {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const mine = `${lock}.${process.pid}`;
    writeFileSync(mine, String(process.pid));
    try {
      linkSync(mine, lock);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = Number(readFileSync(lock, 'utf8'));
      if (holder > 0 && runs(holder)) return false;
      rmSync(lock, { force: true });
    } finally {
      rmSync(mine, { force: true });
    }
  }
  return false;
}

export interface Seed {
  readonly seed: string;
  release(): void;
}

/**
 * The terminals of one seed run once at a time: two of a serial number would push one another off the line without end. Takes `wanted`, or
 * the first free one of 1, 2, 3 and so on; undefined where that runs already.
 */
export function claimSeed(folder: string, wanted?: string): Seed | undefined {
  mkdirSync(folder, { recursive: true });
  const seeds = wanted === undefined ? Array.from({ length: SEEDS }, (_, at) => String(at + 1)) : [wanted];
  for (const seed of seeds) {
    const lock = join(folder, `${encodeURIComponent(seed)}.lock`);
    if (take(lock)) return { seed, release: () => rmSync(lock, { force: true }) };
  }
  return undefined;
}
