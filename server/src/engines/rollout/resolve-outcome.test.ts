import { expect, test } from 'vitest';
import { resolveOutcome } from './resolve-outcome.ts';

test.each([
  ['2', true, 'success', 'succeed'],
  ['2', true, 'failure', 'fail'],
  ['8', true, 'failure', 'fail'],
  ['5', true, 'success', 'lateSuccess'],
  ['5', true, 'failure', 'lateFailure'],
  ['1', false, 'success', 'succeed'],
  ['2', false, 'success', 'succeed'],
  ['2', false, 'failure', undefined],
  ['1', false, 'failure', undefined],
  ['3', true, 'failure', undefined],
  ['3', true, 'success', undefined],
  ['9', true, 'success', undefined],
  ['10', true, 'success', undefined],
  ['4', true, 'success', undefined],
] as const)('state %s, current %s, %s → %s', (state, isCurrent, outcome, event) => {
  expect(resolveOutcome(state, isCurrent, outcome)).toBe(event);
});
