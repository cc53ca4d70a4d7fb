import { expect, test } from 'vitest';
import { addMonths, dayByKey, daysBetween, daysIn, weeksOf } from './month-days.ts';

test('a month stands in six weeks from Monday', () => {
  const weeks = weeksOf('2026-12-24');
  expect([weeks.length, weeks.every((week) => week.length === 7)]).toEqual([6, true]);
  expect([weeks[0]?.[0], weeks[0]?.[1], weeks[5]?.[6]]).toEqual(['2026-11-30', '2026-12-01', '2027-01-10']);
  // Its first day is a Monday.
  expect(weeksOf('2027-02-01')[0]?.[0]).toBe('2027-02-01');
});

test('months are counted over the year’s end, and to the last day of a shorter one', () => {
  expect([addMonths('2026-12-24', 1), addMonths('2027-01-24', -1)]).toEqual(['2027-01-24', '2026-12-24']);
  expect([addMonths('2027-01-31', 1), addMonths('2028-03-31', -1)]).toEqual(['2027-02-28', '2028-02-29']);
});

test('keys lead by days, weeks and months, in the reading direction', () => {
  const by = (key: string, forward: 1 | -1 = 1) => dayByKey('2026-12-24', key, forward);
  expect([by('ArrowLeft'), by('ArrowRight'), by('ArrowUp'), by('ArrowDown')]).toEqual([
    '2026-12-23',
    '2026-12-25',
    '2026-12-17',
    '2026-12-31',
  ]);
  expect([by('ArrowLeft', -1), by('ArrowRight', -1)]).toEqual(['2026-12-25', '2026-12-23']);
  expect([by('Home'), by('End'), by('PageUp'), by('PageDown')]).toEqual(['2026-12-21', '2026-12-27', '2026-11-24', '2027-01-24']);
  expect(by('a')).toBeUndefined();
});

test('days between two, whichever comes first', () => {
  expect(daysBetween('2026-12-31', '2026-12-29')).toEqual(['2026-12-29', '2026-12-30', '2026-12-31']);
  expect(daysBetween('2026-12-31', '2026-12-31')).toEqual(['2026-12-31']);
});

test('a typed span is its days, in order and each once; what is none stays for the form to judge', () => {
  expect(daysIn(['2026-12-26', '2026-12-24/2026-12-26', '2026-12-01'], 100)).toEqual([
    '2026-12-01',
    '2026-12-24',
    '2026-12-25',
    '2026-12-26',
  ]);
  for (const span of ['2026-12-24..2026-12-25', '2026-12-24–2026-12-25']) expect(daysIn([span], 100)).toEqual(['2026-12-24', '2026-12-25']);
  for (const wrong of ['tomorrow', '2026-12-24/2026-12-20', '2026-02-30/2026-03-02', '2026-01-01/2029-01-01'])
    expect(daysIn([wrong], 100)).toEqual([wrong]);
  expect(daysIn(['2026-01-01/2026-01-03'], 2)).toEqual(['2026-01-01/2026-01-03']);
  expect(daysIn(['2026-01-01/2026-01-03'], 3)).toHaveLength(3);
});
