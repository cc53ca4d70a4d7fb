import { expect, test } from 'vitest';
import { alternate, load, median, quantile } from './measure.ts';

test('quantiles of what was measured', () => {
  expect([median([3, 1, 2]), quantile([1, 2, 3, 4], 0.95), quantile([5], 0.5)]).toEqual([2, 4, 5]);
});

test('the sides take turns, and the first round is left out', async () => {
  const seen: string[] = [];
  const side = (name: string) => async () => seen.push(name);
  expect(await alternate({ a: side('a'), b: side('b') }, 2)).toEqual({ a: [3, 5], b: [4, 6] });
  expect(seen.join('')).toBe('ababab');
});

test('a load asks with all askers until its time is over', async () => {
  const found = await load(4, 0.05, () => new Promise((done) => setTimeout(done, 5)));
  expect(found.rate).toBeGreaterThan(100);
  expect(found.p95).toBeGreaterThanOrEqual(found.p50);
});
