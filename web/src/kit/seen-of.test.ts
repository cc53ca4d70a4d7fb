import { helpArticleCalls } from '@mooring/contract/help/article';
import { expect, test } from 'vitest';
import { seenOf } from './seen-of.ts';

test('an act goes by what was read where its call asks for it', () => {
  const row = { id: 7, revision: 3, title: 'Paper jam' };
  expect(seenOf(helpArticleCalls.publish, row)).toEqual({ id: 7, revision: 3 });
  expect(seenOf(helpArticleCalls.withdraw, row)).toEqual({ id: 7 });
  expect(seenOf(helpArticleCalls.publish, { id: 7 })).toEqual({ id: 7 });
});
