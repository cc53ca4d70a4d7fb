import { expect, test } from 'vitest';
import { failureReasons, waitReasons } from '../../device/messages.ts';
import { rolloutTexts } from './rollout.texts.ts';

test('every reason of the protocol has words', () => {
  expect([...failureReasons, ...waitReasons].filter((one) => !(`reason.${one}` in rolloutTexts))).toEqual([]);
});

test('every reason says what to do about it, but for those of which nothing follows', () => {
  const nothing = ['cancelled', 'unknown', 'terminalWrong', 'kindWrong', 'appWrong', 'appNeeded'];
  const without = [...failureReasons, ...waitReasons].filter((one) => !(`advice.${one}` in rolloutTexts));
  expect(without.toSorted()).toEqual(nothing.toSorted());
});
