import { expect, test } from 'vitest';
import { makeOnce } from './once.ts';

test('two clicks at once are one change; another input, or a later click, is another', async () => {
  const once = makeOnce<{ id: number }, number>();
  const sent: number[] = [];
  const end: (() => void)[] = [];
  const work = ({ id }: { id: number }) =>
    new Promise<number>((resolve) => {
      sent.push(id);
      end.push(() => resolve(id));
    });
  const both = [once({ id: 1 }, work), once({ id: 1 }, work), once({ id: 2 }, work)];
  expect([sent, both.map((one) => one.isFirst)]).toEqual([
    [1, 2],
    [true, false, true],
  ]);
  for (const one of end) one();
  expect(await Promise.all(both.map((one) => one.made))).toEqual([1, 1, 2]);
  const later = once({ id: 1 }, () => Promise.reject(new Error('refused')));
  expect(later.isFirst).toBe(true);
  await expect(later.made).rejects.toThrow('refused');
  expect(once({ id: 1 }, work).isFirst).toBe(true);
});
