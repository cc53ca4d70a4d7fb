import { expect, test } from 'vitest';
import { joinPages } from './older-pages.ts';

const page = (next: number | null, ...content: number[]) => ({ content: content.map((id) => ({ id, seen: next })), next });
const idsOf = (joined: ReturnType<typeof joinPages<{ id: number }>>) => joined?.content.map(({ id }) => id);
const keyOf = ({ id }: { id: number }) => id;

test('what is pushed off the newest page by what came anew stays in the list', () => {
  const joined = joinPages(page(5, 7, 6, 5), page(3, 5, 4, 3), [page(null, 2, 1)], keyOf);
  expect(idsOf(joined)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(joined?.next).toBeNull();
});

test('an entry stands as it is on the newer page', () => {
  const joined = joinPages(page(5, 7, 6, 5), page(3, 5, 4, 3), [], keyOf);
  expect(joined?.content[2]).toEqual({ id: 5, seen: 5 });
  expect(joined?.next).toBe(3);
});

test('where more came than a page holds there is no list without a gap', () => {
  expect(joinPages(page(7, 9, 8, 7), page(3, 5, 4, 3), [], keyOf)).toBeUndefined();
});
