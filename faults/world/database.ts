import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentLog } from '@mooring/server/platform/embedded-postgres/current-log';

/** The running postmaster of a data folder and all that it started. */
function processesOf(dataDir: string): number[] {
  let postmaster: number;
  try {
    postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return [];
  }
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]) === postmaster;
      } catch {
        return false;
      }
    });
  return [postmaster, ...children.map(Number)];
}
const signal = (pids: readonly number[], name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended meanwhile.
    }
  }
};

export interface Database {
  /** The postmaster alone: what it started sees that, and ends. Whoever runs it starts it again. */
  kill(): void;
  stop(): void;
  goOn(): void;
  /** The log that it keeps now. */
  said(): string;
}

export const databaseOf = (dataDir: string): Database => {
  let stopped: number[] = [];
  return {
    kill: () => signal(processesOf(dataDir).slice(0, 1), 'SIGKILL'),
    stop() {
      // The postmaster first: it starts no more of them then.
      signal(processesOf(dataDir).slice(0, 1), 'SIGSTOP');
      stopped = processesOf(dataDir);
      signal(stopped, 'SIGSTOP');
    },
    goOn: () => signal(stopped, 'SIGCONT'),
    said: () => currentLog(join(dataDir, 'postgres')),
  };
};
