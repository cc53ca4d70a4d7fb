import { expect, test } from 'vitest';
import { clockOf, isOpenAt, OpeningHours, overlapIn, readHours, writeHours } from './opening-hours.ts';

const on = (day: number, from: string, to: string) => ({ day, from, to });

test.each([
  [[], undefined],
  [[on(1, '09:00', '12:00'), on(1, '12:00', '18:00')], undefined],
  [[on(1, '09:00', '12:01'), on(1, '12:00', '18:00')], 1],
  [[on(2, '08:00', '10:00'), on(1, '22:00', '02:00')], undefined],
  [[on(2, '01:00', '10:00'), on(1, '22:00', '02:00')], 0],
  [[on(1, '01:00', '05:00'), on(7, '22:00', '02:00')], 0],
  [[on(7, '22:00', '02:00'), on(1, '02:00', '05:00')], undefined],
  [[on(1, '00:00', '24:00'), on(2, '00:00', '24:00')], undefined],
])('%j overlap at %s', (hours, at) => expect(overlapIn(hours)).toBe(at));

test('a shop is open past midnight, over the end of the week too', () => {
  const hours = [on(7, '22:00', '02:00'), on(3, '09:00', '17:00')];
  expect([isOpenAt(hours, 7, 23 * 60), isOpenAt(hours, 1, 60), isOpenAt(hours, 1, 120)]).toEqual([true, true, false]);
  expect([isOpenAt(hours, 3, 539), isOpenAt(hours, 3, 540), isOpenAt(hours, 3, 1020)]).toEqual([false, true, false]);
});

test('hours say what is wrong with them', () => {
  const wrong = (hours: object[]) => OpeningHours.safeParse(hours).error?.issues.map((one) => `${one.path.join('.')} ${one.message}`);
  expect(wrong([on(1, '09:00', '09:00')])).toEqual(['0.to invalid.openingEmpty']);
  expect(wrong([on(1, '9:00', '10:00')])).toEqual(['0.from invalid.clock']);
  expect(wrong([on(1, '09:00', '12:00'), on(1, '11:00', '13:00')])).toEqual(['1 invalid.openingOverlap']);
  expect(OpeningHours.parse(undefined)).toEqual([]);
});

test.each(['', '1-5 09:00-18:00; 6 10:00-14:00', '1 09:00-12:00 13:00-18:00', '1-2 08:00-12:00; 4 08:00-12:00; 7 22:00-02:00'])(
  'a sheet says %j and reads it again',
  (text) => expect(writeHours(readHours(text) ?? [])).toBe(text),
);
test.each(['daily', '8 09:00-10:00', '1-5', '1 9:00-10:00', '1 09:00'])('%j are no hours', (text) =>
  expect(readHours(text)).toBeUndefined(),
);

test.each([
  ['9:00', '09:00'],
  ['9', '09:00'],
  ['0930', '09:30'],
  ['18.15', '18:15'],
  ['24:00', '24:00'],
  ['25:00', '25:00'],
  ['9:75', '9:75'],
  ['noon', 'noon'],
])('%s is taken for %s', (typed, clock) => expect(clockOf(typed)).toBe(clock));
