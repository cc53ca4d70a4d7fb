import { expect, test } from 'vitest';
import { partOf, shareOf } from './sweep.ts';

const all = ['a', 'b', 'c', 'd', 'e'];

test('two halves make the whole, and share nothing', () => {
  const [one, other] = [partOf(all, 0), partOf(all, 1)];
  expect([...one, ...other].toSorted()).toEqual(all);
  expect(one.filter((each) => other.includes(each))).toEqual([]);
  expect(partOf(all, 'whole')).toEqual(all);
});

test('a commit says which half it is; what is asked for goes before, and nonsense is refused', () => {
  expect([shareOf(undefined, 10), shareOf(undefined, 11), shareOf('', 12)]).toEqual([0, 1, 0]);
  expect([shareOf('1', 10), shareOf('0', 11), shareOf('whole', 11), shareOf(undefined, undefined)]).toEqual([1, 0, 'whole', 'whole']);
  expect(() => shareOf('half', 10)).toThrow('SWEEP');
});
