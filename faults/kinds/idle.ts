import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from '@mooring/terminal/random';
import type { Kind } from './kind.ts';

const CONNECTIONS = 10_000;
const AT_ONCE = 200;
const ANSWER_MS = 5000;

/** Connections that say nothing, and people who want their answers meanwhile. */
export const idle: Kind = {
  name: '10,000 idle HTTP connections',
  // Twice as many are more than a process may open on many machines.
  isAlone: true,
  isPossible: () => true,
  async strike({ world, random, outageSeconds, broken }) {
    const server = pick(random, world.servers);
    const sockets: Socket[] = [];
    const open = () =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1', resolve);
        socket.on('error', () => resolve());
        sockets.push(socket);
      });
    try {
      while (sockets.length < CONNECTIONS) await Promise.all(Array.from({ length: AT_ONCE }, open));
      const began = performance.now();
      const answer = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch((error: unknown) => error);
      if (server.process.isUp() && !(answer instanceof Response))
        broken(`no answer beside ${CONNECTIONS} idle connections in ${Math.round(performance.now() - began)} ms: ${String(answer)}`);
      await sleep(Math.min(outageSeconds, 10) * 1000);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
};
