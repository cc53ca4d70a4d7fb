import { allowedActions } from '@mooring/contract/kit/allowed-actions';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { allowing } from './allowed-actions.ts';

test('a row answers its allowed actions, and to a console of 0.1 under the name that it reads', () => {
  const Row = z.strictObject(allowedActions);
  expect(Row.parse(allowing(['update', 'delete']))).toEqual({ allowedActions: ['update', 'delete'], offers: ['update', 'delete'] });
});
