import { BrokenPackage } from './broken.ts';
import { readPackageFrom } from './read-package.ts';
import { bytesSource } from './source.ts';

/** Test data: what a package ends as, in a word: the rule that it breaks, what is wrong with its signature, or its schemes. */
export async function endOf(bytes: Uint8Array): Promise<string> {
  try {
    const { signature } = await readPackageFrom(bytesSource(bytes));
    return signature.wrong ?? signature.schemes.join(' ');
  } catch (error) {
    if (error instanceof BrokenPackage) return error.rule;
    throw error;
  }
}
