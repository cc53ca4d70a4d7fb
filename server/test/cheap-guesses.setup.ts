import { vi } from 'vitest';

// What these tests are about is never how dear a guess is: whoever signs in here a thousand times needn't pay for it. What it costs in earnest is
// asked by `costs.test.ts` and by those that unmock this.
vi.mock('../src/modules/auth/costs.ts', () => ({
  passwordCost: { memory: 64, passes: 1, parallelism: 1, tagLength: 32 },
  leastHashes: 40,
}));
