import { expect, test } from 'vitest';
import { inTime } from './in-time.ts';

const never = new Promise<never>(() => undefined);

test('what answers in time is taken, with its fault', async () => {
  const time = AbortSignal.timeout(10_000);
  expect(await inTime(Promise.resolve(1), time)).toBe(1);
  await expect(inTime(Promise.reject(new Error('no such name')), time)).rejects.toThrow('no such name');
});

test('what doesn’t is left behind, also where the time was over before', async () => {
  const time = AbortSignal.timeout(20);
  await expect(inTime(never, time)).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(inTime(never, time)).rejects.toMatchObject({ name: 'TimeoutError' });
});
