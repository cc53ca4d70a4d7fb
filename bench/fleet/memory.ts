import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Environment of a Node process whose memory is measured. */
export const settling = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${join(import.meta.dirname, 'settle.mjs')}` };

/** Kilobytes that a process has of the machine's memory, its share of what it shares with others. */
export function pss(pid: number): number {
  const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return Number(found?.[1] ?? Number.NaN);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Kilobytes after it has let go of what it can. */
export async function settled(pid: number, isNode: boolean): Promise<number> {
  await pause(2000);
  for (let n = 0; isNode && n < 2; n += 1) {
    process.kill(pid, 'SIGUSR2');
    await pause(1500);
  }
  return pss(pid);
}
