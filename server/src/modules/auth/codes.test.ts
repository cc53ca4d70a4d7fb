import { expect, test } from 'vitest';
import { CODES_AN_HOUR, digitsAfter, TRIES } from './codes.ts';

test('whoever guesses at somebody’s codes for ten years, at each one that may be sent, is right in one case of 10,000 at most', () => {
  let chance = 0;
  for (let code = 0; code < CODES_AN_HOUR * 24 * 3650; code += 1) chance += TRIES / 10 ** digitsAfter(code);
  expect(chance).toBeLessThan(1 / 10_000);
});
