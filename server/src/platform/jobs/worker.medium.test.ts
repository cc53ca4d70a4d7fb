import { expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../../test/test-app.ts';
import { openPools } from '../db/pools.ts';
import type { Authenticator } from '../http/authenticator.ts';
import { job } from '../module.ts';
import { startWorker } from './worker.ts';

const nobody = { actorOf: async () => undefined, reachOf: async () => undefined } as unknown as Authenticator;

test('what a killed process left locked is taken up by one that lives, and what a living one works on is not', async () => {
  const app = await testApp();
  const others = openPools(app.url, { max: 2 });
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
  const enqueue = (n: number) => app.context.unscoped((db) => app.context.enqueue(db, 'test:count', { n }));
  const pretend = (set: string, where: string) =>
    app.context.pools.owner.query(`update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' ${set} where ${where}`);
  try {
    const first = await startWorker(app.context, nobody, [count]);
    await enqueue(1);
    await expect.poll(() => begun).toEqual([1]);
    await pretend('', 'locked_by is not null');
    const second = await startWorker({ ...app.context, pools: others }, nobody, [count]);
    await enqueue(2);
    await expect.poll(() => begun).toEqual([1, 2]);
    await app.context.pools.owner.query(
      "select graphile_worker.add_job('test:count', json_build_object('payload', json_build_object('n', 3)), run_at => now() + interval '1 day')",
    );
    await pretend(", locked_by = 'worker-dead', run_at = now(), attempts = 1", 'locked_by is null');
    await expect.poll(() => begun).toEqual([1, 2, 3]);
    finish();
    await Promise.all([first(), second()]);
    expect(begun).toEqual([1, 2, 3]);
  } finally {
    finish();
    await others.end();
    await app.stop();
  }
});

test('a recurring job that finds the database full or away leaves nothing lying about; what fails otherwise is seen', async () => {
  const app = await testApp();
  const ran: string[] = [];
  const failing = (name: string, code: string) =>
    job({
      name,
      payload: z.object({}),
      every: '1 1 1 1 *',
      async run() {
        ran.push(name);
        throw Object.assign(new Error(name), { code });
      },
    });
  const lying = async () =>
    (await app.context.pools.owner.query('select last_error from graphile_worker._private_jobs')).rows.map((row) => row.last_error);
  const stop = await startWorker(app.context, nobody, [failing('test:full', '53100'), failing('test:wrong', '22012')]);
  try {
    await app.context.unscoped(async (db) => {
      for (const name of ['test:full', 'test:wrong']) await app.context.enqueue(db, name, {});
    });
    await expect.poll(() => ran.toSorted()).toEqual(['test:full', 'test:wrong']);
    await expect.poll(lying).toEqual([expect.stringContaining('test:wrong')]);
  } finally {
    await stop();
    await app.stop();
  }
});
