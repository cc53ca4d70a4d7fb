import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from './kind.ts';

/** No space left: for database and files together where they share a disk, else in the object store. */
export const fullDisk: Kind = {
  name: 'no space left',
  isPossible: (world) => world.disk !== undefined || world.store !== undefined,
  async strike({ world, outageSeconds }) {
    world.disk?.fill();
    world.store?.send({ full: true });
    try {
      await sleep(outageSeconds * 1000);
    } finally {
      world.disk?.free();
      world.store?.send({ full: false });
    }
  },
};
