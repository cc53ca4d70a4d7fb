import { expect, test } from 'vitest';
import { campaign, type Plan } from '../faults/campaign.ts';
import { possibleWorlds } from '../faults/possible-worlds.ts';

// The short form of `npm run faults`: a few rounds with few terminals and short outages.
const plan: Omit<Plan, 'world' | 'seed'> = {
  rounds: 2,
  terminals: 16,
  fleets: 2,
  outageSeconds: 4,
  unknownDevices: 1300,
  // Other work may share the machine: memory has its bound here, times have theirs in the long form.
  isJudged: false,
  print: (line) => process.stderr.write(`${line}\n`),
};
// Servers, database, space, lines, clock and store all have their turn in it.
const seed = '77';

test.each(possibleWorlds(plan.print))(
  'a release in the world "%s" survives what befalls it, and strangers take no memory that isn’t theirs',
  async (world) => {
    const { broken } = await campaign({ ...plan, world, seed, last: world === 'alone' ? 'unknown' : undefined });
    expect(broken).toBeUndefined();
  },
  900_000,
);
