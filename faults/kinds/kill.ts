import { setTimeout as sleep } from 'node:timers/promises';
import { between, pick } from '@mooring/terminal/random';
import { waitFor } from '../../e2e/stack.ts';
import type { Server } from '../world/world.ts';
import type { Kind, Strike } from './kind.ts';

async function killServer({ random }: Strike, server: Server): Promise<void> {
  await server.process.kill();
  await sleep(between(random, 0, 3000));
  await server.process.start();
}

/** SIGKILL, as a power cut does it, and a start some moments later. */
export const kills: readonly Kind[] = [
  {
    name: 'server killed',
    isPossible: () => true,
    strike: (on) => killServer(on, on.world.servers[0] as Server),
  },
  {
    name: 'second server killed',
    isPossible: (world) => world.servers.length > 1,
    strike: (on) => killServer(on, on.world.servers[1] as Server),
  },
  {
    name: 'all servers killed',
    isPossible: (world) => world.servers.length > 1,
    strike: async (on) => void (await Promise.all(on.world.servers.map((server) => killServer(on, server)))),
  },
  {
    name: 'broker killed',
    isPossible: (world) => world.broker !== undefined,
    strike: async ({ world }) => world.broker?.kill(),
  },
  {
    name: 'database killed',
    isPossible: () => true,
    async strike({ world }) {
      world.database.kill();
      await waitFor(() => world.query('select 1'), 'the database after it was killed', 60);
    },
  },
  {
    name: 'terminals killed',
    isPossible: () => true,
    async strike({ world, random }) {
      const some = pick(random, world.fleets.processes);
      await some.kill();
      await sleep(between(random, 500, 3000));
      await some.start();
    },
  },
];
