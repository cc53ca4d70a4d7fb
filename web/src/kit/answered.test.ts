import { pageOf } from '@mooring/contract/kit/page';
import { Id, revision } from '@mooring/contract/kit/schema';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { notOlder, withAnswer } from './answered.ts';

const fields = { id: Id, ...revision, name: z.string() };
const Boat = z.object(fields);
const Detail = Boat.extend({ crew: z.array(z.string()) });
const Berth = z.object({ id: Id, ...revision, name: z.string() });
const one = { id: 1, revision: 1, name: 'one' };
const two = { id: 2, revision: 1, name: 'two' };
const page = { content: [one, two], total: 2, capped: false, number: 1, size: 10, next: null, prev: null };
const fresh = { id: 1, revision: 2, name: 'new' };

it('a row that was changed is shown changed, alone, on its page and in its list', () => {
  expect(withAnswer(one, Boat, fresh, Boat)).toEqual(fresh);
  expect(withAnswer(page, pageOf(Boat), fresh, Boat)).toEqual({ ...page, content: [fresh, two] });
  expect(withAnswer([one, two], z.array(Boat), fresh, Boat)).toEqual([fresh, two]);
});

it('a row that is shown with more keeps what the answer says nothing of, and one with less takes no more', () => {
  expect(withAnswer({ ...one, crew: ['Ann'] }, Detail, fresh, Boat)).toEqual({ ...fresh, crew: ['Ann'] });
  expect(withAnswer(page, pageOf(Boat), { ...fresh, crew: ['Ann'] }, Detail)).toEqual({ ...page, content: [fresh, two] });
});

it('what is another row, of something else, or newer is left as it stands', () => {
  const shown = [page, page, { ...page, content: [{ ...one, revision: 3 }] }] as const;
  expect(withAnswer(shown[0], pageOf(Boat), { ...fresh, id: 3 }, Boat)).toBe(shown[0]);
  expect(withAnswer(shown[1], pageOf(Boat), fresh, Berth)).toBe(shown[1]);
  expect(withAnswer(shown[2], pageOf(Boat), fresh, Boat)).toBe(shown[2]);
  expect([null, 'text', 7].map((answer) => withAnswer(page, pageOf(Boat), answer, Boat))).toEqual([page, page, page]);
});

it('an answer that is older than what is shown takes nothing back', () => {
  expect(notOlder(fresh, one)).toBe(fresh);
  expect(notOlder(one, fresh)).toBe(fresh);
  const shown = { ...page, content: [fresh, two] };
  const found = { ...page, content: [{ ...two, revision: 5 }, one], total: 7 };
  expect(notOlder(shown, found)).toEqual({ ...found, content: [{ ...two, revision: 5 }, fresh] });
  expect([notOlder(undefined, page), notOlder(one, 'text'), notOlder({ id: 1 }, { id: 1 })]).toEqual([page, 'text', { id: 1 }]);
});
