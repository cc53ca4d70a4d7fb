import { expect, test } from 'vitest';
import { capabilities } from './capabilities.ts';
import { deviceTexts } from './device.texts.ts';

test('every capability has words', () => {
  expect(capabilities.filter((one) => !(`device.capability.${one}` in deviceTexts))).toEqual([]);
});
