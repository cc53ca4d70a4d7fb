import { BrokenPackage } from './broken.ts';
import { readPackageFrom } from './read-package.ts';
import { bytesSource } from './source.ts';

/** What is refused may not cost more, whoever sends it again and again. */
const MOST_CPU_MS = 100;
/** The first times are of code that nothing has compiled yet. */
const TRIES = 4;
const MOST_BYTES = 100 * 1024 * 1024;
const memory = () => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/**
 * Test data: what a package ends as, in a word: the rule that it breaks, what is wrong with its signature, or its schemes. What it costs to say so is
 * bounded.
 */
export async function endOf(bytes: Uint8Array): Promise<string> {
  let spent = Number.POSITIVE_INFINITY;
  for (let tried = 0; ; tried += 1) {
    const [cpu, held] = [process.cpuUsage(), memory()];
    const end = await ending(bytes);
    spent = Math.min(spent, process.cpuUsage(cpu).user / 1000);
    const added = memory() - held;
    if (added > MOST_BYTES) throw new Error(`${end} took ${added} bytes`);
    if (spent <= MOST_CPU_MS) return end;
    if (tried === TRIES) throw new Error(`${end} took ${Math.round(spent)} ms`);
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
