import { expect, test } from 'vitest';
import { failureReasons, waitReasons } from '../../device/messages.ts';
import { rolloutTexts } from './rollout.texts.ts';

test('every reason of the protocol has words', () => {
  expect([...failureReasons, ...waitReasons].filter((one) => !(`reason.${one}` in rolloutTexts))).toEqual([]);
});
