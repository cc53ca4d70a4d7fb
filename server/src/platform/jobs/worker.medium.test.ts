import { expect, test } from 'vitest';
import { z } from 'zod';
import { testHouse } from '../../../test/house.ts';
import type { Doorkeeper } from '../http/doorkeeper.ts';
import { job } from '../module.ts';
import { startWorker } from './worker.ts';

const nobody = { actorOf: async () => undefined, reachOf: async () => undefined } as unknown as Doorkeeper;

test('what a killed process left locked is taken up by the next, but not while another one lives', async () => {
  const house = await testHouse();
  const done: number[] = [];
  const count = job({ name: 'test:count', payload: z.object({ n: z.int() }), run: async (_ctx, { n }) => void done.push(n) });
  const leave = async (n: number) => {
    await house.house.unscoped((db) => house.house.enqueue(db, 'test:count', { n }));
    await house.house.pools.owner.query(
      "update graphile_worker._private_jobs set locked_by = 'worker-dead', locked_at = now(), attempts = 1",
    );
  };
  const startAndWait = async (length: number) => {
    const stop = await startWorker(house.house, nobody, [count]);
    await expect.poll(() => done.length, { timeout: 15_000 }).toBe(length);
    return stop;
  };
  try {
    await leave(1);
    await (await startAndWait(1))();
    await leave(2);
    const another = await house.house.pools.owner.connect();
    await another.query('select pg_advisory_lock_shared(7310)');
    await house.house.unscoped((db) => house.house.enqueue(db, 'test:count', { n: 3 }));
    const stop = await startAndWait(2);
    expect(done).toEqual([1, 3]);
    await stop();
    another.release(true);
    await (await startAndWait(3))();
    expect(done).toEqual([1, 3, 2]);
  } finally {
    await house.stop();
  }
});
