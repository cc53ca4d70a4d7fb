import { BrokenPackage } from './broken.ts';
import { readPackageFrom } from './read-package.ts';
import { bytesSource } from './source.ts';

/** A tenth of it on a machine of its own: what is refused may not cost more, whoever sends it again and again. */
const MOST_CPU_MS = 1000;
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
  const [cpu, held] = [process.cpuUsage(), memory()];
  const end = await ending(bytes);
  const spent = process.cpuUsage(cpu).user / 1000;
  const added = memory() - held;
  if (spent > MOST_CPU_MS || added > MOST_BYTES) throw new Error(`${end} took ${Math.round(spent)} ms and ${added} bytes`);
  return end;
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
