import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { BrokenPackage } from './broken.ts';
import { readPackageFrom } from './read-package.ts';
import { bytesSource } from './source.ts';

/** What is refused may not cost more, whoever sends it again and again. */
const MOST_CPU_MS = 100;
/** The first times are of code that nothing has compiled yet. */
const TRIES = 4;
const MOST_BYTES = 100 * 1024 * 1024;
/** Linux says the peak of a process since it was reset (proc(5), clear_refs and VmHWM). Elsewhere what is held afterwards has to do. */
const tellsPeak = existsSync('/proc/self/clear_refs');
const resetPeak = () => {
  if (tellsPeak) writeFileSync('/proc/self/clear_refs', '5');
};
const peak = () => {
  if (!tellsPeak) return process.memoryUsage.rss();
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
};

/**
 * Test data: what a package ends as, in a word: the rule that it breaks, what is wrong with its signature, or its schemes. What it costs to say so is
 * bounded.
 */
export async function endOf(bytes: Uint8Array): Promise<string> {
  let spent = Number.POSITIVE_INFINITY;
  let added = Number.POSITIVE_INFINITY;
  for (let tried = 0; ; tried += 1) {
    resetPeak();
    const [cpu, held] = [process.cpuUsage(), peak()];
    const end = await ending(bytes);
    spent = Math.min(spent, process.cpuUsage(cpu).user / 1000);
    added = Math.min(added, peak() - held);
    if (spent <= MOST_CPU_MS && added <= MOST_BYTES) return end;
    if (tried === TRIES) throw new Error(`${end} took ${Math.round(spent)} ms and ${added} bytes`);
  }
}

async function ending(bytes: Uint8Array): Promise<string> {
  try {
    const { signature } = await readPackageFrom(bytesSource(bytes));
    return signature.wrong ?? signature.schemes.join(' ');
  } catch (error) {
    if (error instanceof BrokenPackage) return error.rule;
    throw error;
  }
}
