import { expect, test } from 'vitest';
import { allowedActionsOf, allows } from './allows.ts';

test('a row allows what it names, from this server and from one of 0.1', () => {
  expect(allows({ allowedActions: ['update'], offers: ['update'] }, 'update')).toBe(true);
  expect(allows({ offers: ['update'] }, 'update')).toBe(true);
  expect(allows({ allowedActions: [], offers: ['update'] }, 'update')).toBe(false);
  expect(allowedActionsOf({})).toEqual([]);
});
