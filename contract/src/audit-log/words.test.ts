import { expect, test } from 'vitest';
import { allCalls } from '../index.ts';
import { releaseKinds } from '../release-kinds.ts';
import { textTables } from '../texts.ts';
import { actionOf } from './action.ts';

const texts = new Map(Object.values(textTables).flatMap((table) => Object.entries<readonly [string, string]>(table)));

/** Where the button's word alone would say the thing twice: "Release a release". */
const isOtherwise = (path: string) =>
  releaseKinds.some(({ paths }) => [paths.tasks, paths.preTasks].some((base) => path === `${base}/enable`));

test('the log names a move by the word of its button', () => {
  const moves = allCalls.flatMap(({ path, can, about }) => {
    const [, machine, event] = /^(\w+): (\w+)$/.exec(about ?? '') ?? [];
    const button = texts.get(`event.${machine}.${event}`);
    const log = texts.get(actionOf({ path, can }, 'centre').text);
    return button && log && !isOtherwise(path) ? [{ path, button, log }] : [];
  });
  expect(moves.length).toBeGreaterThan(5);
  const first = (text: string) => text.split(' ')[0];
  expect(
    moves
      .filter(({ button, log }) => first(log[0]) !== first(button[0]) || !log[1].includes(button[1].slice(0, 2)))
      .map(({ path, button, log }) => `${path}: “${log.join(' · ')}” for “${button.join(' · ')}”`),
  ).toEqual([]);
});
