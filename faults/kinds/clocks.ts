import { setTimeout as sleep } from 'node:timers/promises';
import { between, pick } from '@mooring/terminal/random';
import type { Kind } from './kind.ts';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** Wrong until the round is healed: the release has to come to its end all the same. */
export const clocks: readonly Kind[] = [
  {
    name: 'terminal clock off by years',
    isPossible: () => true,
    async strike({ world, random }) {
      const some = pick(random, world.fleets.processes);
      some.shiftClock(pick(random, [-1, 1]) * between(random, 2, 20) * YEAR);
      // They come back with it.
      world.lines.mqtt.drop();
      await sleep(1000);
    },
  },
  {
    name: 'server clock off by minutes',
    isPossible: () => true,
    async strike({ world, random }) {
      const { process: server } = pick(random, world.servers);
      server.shiftClock(pick(random, [-1, 1]) * between(random, 2, 15) * MINUTE);
      await sleep(3000);
    },
  },
];
