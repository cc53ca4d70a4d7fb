import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** The process that the cluster's own pid file names, if it is still a database on this cluster. */
export function runningPostmaster(cluster: string): number | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 && isPostmaster(pid, cluster) ? pid : undefined;
}

/** A pid is used again after a crash: only a process that works in this folder counts. */
function isPostmaster(pid: number, cluster: string): boolean {
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
    if (orphan === undefined || !isPostmaster(orphan, cluster)) break;
    process.kill(orphan, signal);
    for (const end = performance.now() + patience; performance.now() < end && isPostmaster(orphan, cluster); ) await setTimeout(20);
  }
  // PostgreSQL would refuse to start if any process had this pid by now.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return orphan;
}
