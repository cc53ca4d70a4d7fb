import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** The process that the cluster's own pid file names, if it is still a database on this cluster. */
export function runningPostmaster(cluster: string): number | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 && worksIn(pid, cluster) ? pid : undefined;
}

/** A pid is used again after a crash: only a process that works in this folder counts. */
function worksIn(pid: number, cluster: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    process.kill(pid, 0);
    return (
      process.platform === 'win32' || execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster)
    );
  } catch {
    return false;
  }
}

/** Fast, then immediate, then by force; the last two cost a recovery at the next start, and no data. */
const signals = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
] as const;

/** Stops the database that a killed server left running. Answers whether there was one. */
export async function stopOrphan(cluster: string): Promise<number | undefined> {
  const orphan = runningPostmaster(cluster);
  for (const [signal, patience] of signals) {
    if (orphan === undefined || !worksIn(orphan, cluster)) break;
    process.kill(orphan, signal);
    for (const end = performance.now() + patience; performance.now() < end && worksIn(orphan, cluster); ) await setTimeout(20);
  }
  // PostgreSQL would refuse to start if any process had this pid by now.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return orphan;
}

/**
 * Ends by force what a dead postmaster left: its processes end within moments, but one that waits for what another held hears nothing of its
 * death, and while it has the shared memory nothing starts. Only where no postmaster is, and on Linux, which says who works in a folder.
 */
export function endLeftovers(cluster: string): number[] {
  if (process.platform !== 'linux' || runningPostmaster(cluster) !== undefined) return [];
  const left = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && worksIn(pid, cluster));
  return left.filter((pid) => {
    try {
      return process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
      return false;
    }
  });
}
