import { createServer } from 'node:net';

const FIRST = 20_000;
const SLICES = 12;
const SLICE = 1000;
/** A process looks in a slice of its own: another one that looks at the same moment would be told of the same port. */
const from = FIRST + (process.pid % SLICES) * SLICE;
const given = new Set<number>();

/** A loopback port that is free now and that this process wasn't given before, below those that the system itself hands out. */
export async function freePort(): Promise<number> {
  if (given.size > SLICE / 2) given.clear();
  for (;;) {
    const port = from + Math.floor(Math.random() * SLICE);
    if (given.has(port)) continue;
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (!isFree) continue;
    given.add(port);
    return port;
  }
}
