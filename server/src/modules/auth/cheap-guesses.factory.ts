import { passwordCost, proofCost } from './costs.ts';

export { hashPassword } from './password-hash.ts';

/** For tests that sign in a thousand times: what a guess costs in earnest isn't what they are about. */
export function makeGuessesCheap(): void {
  Object.assign(passwordCost, { memory: 64, passes: 1 });
  proofCost.leastHashes = 40;
}
