import { expect, test } from 'vitest';
import { z } from 'zod';
import { testHouse } from '../../../test/house.ts';
import { openPools } from '../db/pools.ts';
import type { Doorkeeper } from '../http/doorkeeper.ts';
import { job } from '../module.ts';
import { startWorker } from './worker.ts';

const nobody = { actorOf: async () => undefined, reachOf: async () => undefined } as unknown as Doorkeeper;

test('what a killed process left locked is taken up by one that lives, and what a living one works on is not', async () => {
  const house = await testHouse();
  const others = openPools(house.url, { max: 2 });
  const begun: number[] = [];
  let finish: () => void = () => {};
  const open = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const count = job({
    name: 'test:count',
    payload: z.object({ n: z.int() }),
    async run(_ctx, { n }) {
      begun.push(n);
      if (n === 1) await open;
    },
  });
  const enqueue = (n: number) => house.house.unscoped((db) => house.house.enqueue(db, 'test:count', { n }));
  const pretend = (set: string, where: string) =>
    house.house.pools.owner.query(`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' ${set} where ${where}`);
  try {
    const first = await startWorker(house.house, nobody, [count]);
    await enqueue(1);
    await expect.poll(() => begun, { timeout: 15_000 }).toEqual([1]);
    await pretend('', 'locked_by is not null');
    const second = await startWorker({ ...house.house, pools: others }, nobody, [count]);
    await enqueue(2);
    await expect.poll(() => begun, { timeout: 15_000 }).toEqual([1, 2]);
    await house.house.pools.owner.query(
      "select graphile_worker.add_job('test:count', json_build_object('payload', json_build_object('n', 3)), run_at => now() + interval '1 day')",
    );
    await pretend(", locked_by = 'worker-dead', run_at = now(), attempts = 1", 'locked_by is null');
    await expect.poll(() => begun, { timeout: 20_000 }).toEqual([1, 2, 3]);
    finish();
    await Promise.all([first(), second()]);
    expect(begun).toEqual([1, 2, 3]);
  } finally {
    finish();
    await others.end();
    await house.stop();
  }
});
