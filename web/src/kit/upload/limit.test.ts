import { expect, test } from 'vitest';
import { atMost, oneByOne } from './limit.ts';

test('runs every task, never more than the most at once', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await atMost(
    () => 3,
    [1, 2, 3, 4, 5, 6, 7],
    async (item) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      done.push(item);
      running -= 1;
    },
  );
  expect(most).toBe(3);
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a failure ends it', async () => {
  await expect(
    atMost(
      () => 2,
      [1, 2, 3],
      (item) => (item === 2 ? Promise.reject(new Error('no')) : Promise.resolve()),
    ),
  ).rejects.toThrow('no');
});

test('after a failure nothing further begins, and nothing is still running when it is told', async () => {
  const begun: number[] = [];
  let running = 0;
  const work = async (item: number) => {
    begun.push(item);
    running += 1;
    await Promise.resolve();
    running -= 1;
    if (item === 2) throw new Error('no');
  };
  await expect(atMost(() => 2, [1, 2, 3, 4, 5, 6, 7, 8], work)).rejects.toThrow('no');
  expect(running).toBe(0);
  expect(begun.length).toBeLessThan(5);
});

test('fewer at once from the moment on that the maximum is less', async () => {
  let most = 3;
  let running = 0;
  const seen: number[] = [];
  await atMost(
    () => most,
    [1, 2, 3, 4, 5, 6],
    async (item) => {
      running += 1;
      await Promise.resolve();
      seen.push(running);
      running -= 1;
      if (item === 1) most = 1;
    },
  );
  expect(seen).toHaveLength(6);
  expect(seen.slice(3)).toEqual([1, 1, 1]);
});

test('one by one: the next begins when the one before has ended, also where that failed', async () => {
  const inTurn = oneByOne();
  const said: string[] = [];
  const first = inTurn(async () => {
    said.push('first begins');
    await Promise.resolve();
    said.push('first fails');
    throw new Error('no');
  });
  const second = inTurn(async () => said.push('second begins'));
  await expect(first).rejects.toThrow('no');
  await second;
  expect(said).toEqual(['first begins', 'first fails', 'second begins']);
});
