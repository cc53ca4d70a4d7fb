import { expect, test } from 'vitest';
import { changedLines } from './changed-lines.ts';

const shown = (before: string, now: string) =>
  changedLines(before, now).map(({ kind, text }) => `${{ kept: ' ', gone: '-', new: '+' }[kind]}${text}`);

test.each([
  ['a\nb\nc', 'a\nb\nc', [' a', ' b', ' c']],
  ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['a\nb', 'b\na', ['-a', ' b', '+a']],
  ['', 'a', ['+a']],
  ['a', '', ['-a']],
  ['a\r\nb', 'a\nb', [' a', ' b']],
  ['a\na', 'a', [' a', '-a']],
  ['x\na\ny\nb\nz', 'a\nq\nb', ['-x', ' a', '-y', '+q', ' b', '-z']],
])('%j → %j', (before, now, lines) => expect(shown(before, now)).toEqual(lines));

test('whatever changes, what stays and goes is the one text, what stays and comes the other', () => {
  const some = (seed: number, count: number) => Array.from({ length: count }, (_, at) => String((at * seed) % 7)).join('\n');
  for (const [one, other] of [
    [some(3, 40), some(5, 35)],
    [some(2, 3000), some(3, 3000)],
  ] as const) {
    const lines = changedLines(one, other);
    const without = (kind: string) =>
      lines
        .filter((line) => line.kind !== kind)
        .map(({ text }) => text)
        .join('\n');
    expect(without('new')).toBe(one);
    expect(without('gone')).toBe(other);
  }
});
