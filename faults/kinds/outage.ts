import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind, Strike } from './kind.ts';

/** A process that stands still: its connections stay, and nothing comes back. One that another fault has killed stands still enough. */
async function standStill(pid: number | undefined, seconds: number): Promise<void> {
  if (!pid || !signal(pid, 'SIGSTOP')) return;
  await sleep(seconds * 1000);
  signal(pid, 'SIGCONT');
}
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Each living server says so on `/readyz`, soon, and says `ok` on `/healthz`. */
async function saysNotReady({ world, broken }: Strike): Promise<void> {
  for (const server of world.servers.filter((one) => one.process.isUp())) {
    const ask = async (path: string) =>
      fetch(server.url + path, { signal: AbortSignal.timeout(6000) }).then(
        (answer) => answer.status,
        (error: unknown) => String(error),
      );
    const [ready, isAlive] = [await ask('/readyz'), await ask('/healthz')];
    // It may have been killed meanwhile.
    if (!server.process.isUp()) continue;
    if (ready !== 503) broken(`${server.process.name} said ${ready} on /readyz while the database stood still`);
    if (isAlive !== 200) broken(`${server.process.name} said ${isAlive} on /healthz while the database stood still`);
  }
}

export const outages: readonly Kind[] = [
  {
    name: 'database away',
    isPossible: () => true,
    async strike(on) {
      on.world.database.stop();
      try {
        const over = sleep(on.outageSeconds * 1000);
        await sleep(500);
        await saysNotReady(on);
        await over;
      } finally {
        on.world.database.goOn();
      }
    },
  },
  {
    name: 'broker away',
    isPossible: (world) => world.broker !== undefined,
    strike: ({ world, outageSeconds }) => standStill(world.broker?.pid(), outageSeconds),
  },
  {
    name: 'store away',
    isPossible: (world) => world.store !== undefined,
    strike: ({ world, outageSeconds }) => standStill(world.store?.pid(), outageSeconds),
  },
];
