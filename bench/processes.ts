import { readdirSync, readFileSync } from 'node:fs';

const parentOf = (pid: number): number | undefined => {
  try {
    // The name may hold blanks and brackets: what follows the last one counts.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
};

/** A process and all that came of it. */
export function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const one = Number(name);
    const parent = one > 0 ? parentOf(one) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), one]);
  }
  const below = (of: number): number[] => [of, ...(children.get(of) ?? []).flatMap(below)];
  return below(pid);
}

/** Megabytes of memory; what several processes share is counted once, not for each. */
export function memoryOf(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

const isAlive = (pid: number) => parentOf(pid) !== undefined;

const PATIENCE_MS = 5000;

/** Ends these processes, and waits until they are gone. */
async function endAll(pids: readonly number[]): Promise<void> {
  const send = (signal: NodeJS.Signals) => {
    for (const one of pids.filter(isAlive)) process.kill(one, signal);
  };
  send('SIGTERM');
  const late = performance.now() + PATIENCE_MS;
  while (pids.some(isAlive)) {
    if (performance.now() > late) send('SIGKILL');
    await new Promise((wait) => setTimeout(wait, 20));
  }
}

/** Ends a process with all that came of it. */
export const endTree = (pid: number): Promise<void> => endAll(treeOf(pid));

/** Ends all that came of this process. */
export const endChildren = (): Promise<void> => endAll(treeOf(process.pid).slice(1));
