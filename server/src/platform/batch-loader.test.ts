import { expect, test, vi } from 'vitest';
import { type BatchOptions, batchLoader } from './batch-loader.ts';

/** Answers when it is told to. */
function slow(how: BatchOptions = {}) {
  const asked: { keys: readonly string[]; end: (error?: Error) => void }[] = [];
  const ask = (keys: readonly string[]) =>
    new Promise<ReadonlyMap<string, string>>((resolve, reject) => {
      asked.push({ keys, end: (error) => (error ? reject(error) : resolve(new Map(keys.map((key) => [key, key.toUpperCase()])))) });
    });
  return { asked, of: batchLoader(ask, how) };
}

test('who comes alone is asked for at once; who comes meanwhile goes with the others, each once', async () => {
  const { asked, of } = slow();
  const answers = [of('a'), of('b'), of('c'), of('c'), of('d')];
  expect(asked.map((one) => one.keys)).toEqual([['a'], ['b']]);
  asked[0]?.end();
  expect(await answers[0]).toBe('A');
  await Promise.resolve();
  expect(asked[2]?.keys).toEqual(['c', 'd']);
  asked[1]?.end();
  asked[2]?.end();
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'C', 'D']);
});

test('nobody is answered by a question that was put before theirs', async () => {
  const { asked, of } = slow();
  const [first, , again] = [of('a'), of('b'), of('a')];
  asked[0]?.end();
  await first;
  await Promise.resolve();
  expect(asked.map((one) => one.keys)).toEqual([['a'], ['b'], ['a']]);
  asked[2]?.end();
  expect(await again).toBe('A');
});

test('a crowd that may wait is asked for in one question; a full one does not wait', async () => {
  const { asked, of } = slow({ most: 3, waitMs: 1 });
  const answers = [of('a'), of('b'), of('c'), of('d')];
  expect(asked.map((one) => one.keys)).toEqual([['a', 'b', 'c']]);
  await vi.waitFor(() => expect(asked[1]?.keys).toEqual(['d']));
  for (const one of asked) one.end();
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D']);
});

test('a failure is told to those who asked it, and the next goes on', async () => {
  const { asked, of } = slow();
  const [one, two, three] = [of('a'), of('b'), of('c')];
  asked[0]?.end(new Error('away'));
  await expect(one).rejects.toThrow('away');
  await Promise.resolve();
  asked[1]?.end();
  asked[2]?.end();
  expect(await Promise.all([two, three])).toEqual(['B', 'C']);
});
