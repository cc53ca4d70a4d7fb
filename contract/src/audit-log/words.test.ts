import { expect, test } from 'vitest';
import { allCalls } from '../index.ts';
import { textTables } from '../texts.ts';

const texts = new Map(Object.values(textTables).flatMap((table) => Object.entries<readonly [string, string]>(table)));

/** Where the button's word alone would say the thing twice. */
const otherwise: ReadonlySet<string> = new Set(['/api/fotaUptask/enable', '/api/fotaPreUptask/enable']);

test('the log names a move by the word of its button', () => {
  const moves = allCalls.flatMap(({ path, about }) => {
    const [, machine, event] = /^(\w+): (\w+)$/.exec(about ?? '') ?? [];
    const button = texts.get(`event.${machine}.${event}`);
    const log = texts.get(`log.call.${path}`);
    return button && log && !otherwise.has(path) ? [{ path, button, log }] : [];
  });
  expect(moves.length).toBeGreaterThan(5);
  const first = (text: string) => text.split(' ')[0];
  expect(
    moves
      .filter(({ button, log }) => first(log[0]) !== first(button[0]) || !log[1].includes(button[1].slice(0, 2)))
      .map(({ path, button, log }) => `${path}: “${log.join(' · ')}” for “${button.join(' · ')}”`),
  ).toEqual([]);
});
