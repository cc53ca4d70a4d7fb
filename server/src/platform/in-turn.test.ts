import { expect, test } from 'vitest';
import { inTurnOfOwner } from './in-turn.ts';

/** Work that ends when it is told to. */
function pieces() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const piece = (name: string) => () =>
    new Promise<string>((end) => {
      begun.push(name);
      ends.set(name, () => end(name));
    });
  return { begun, piece, end: (name: string) => ends.get(name)?.() };
}

test('one’s work goes one after the other in the order it came, another’s beside it, and who finds too many waiting is told so', async () => {
  const run = inTurnOfOwner({ atOnce: 1, queue: 1 });
  const { begun, piece, end } = pieces();
  const first = run(7, piece('first'));
  const second = run(7, piece('second'));
  await expect(run(7, piece('third'))).rejects.toMatchObject({ fault: 'TOO_MANY' });
  const other = run(8, piece('other'));
  await expect.poll(() => begun).toEqual(['first', 'other']);
  end('first');
  expect(await first).toBe('first');
  await expect.poll(() => begun).toEqual(['first', 'other', 'second']);
  end('second');
  end('other');
  expect(await Promise.all([second, other])).toEqual(['second', 'other']);
});

test('what fails hands its turn on too', async () => {
  const run = inTurnOfOwner({ atOnce: 1, queue: 1 });
  const failed = run(7, () => Promise.reject(new Error('broken')));
  const next = run(7, async () => 'next');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('next');
});
