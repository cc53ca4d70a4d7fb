import { expect, test } from 'vitest';
import { daysWords, week, weekdays } from './window-days.ts';

const t = ((key: string) => key.replace('firmware.task.day.', '')) as never;

test('days of a window are said the short way, in the order of the week', () => {
  expect(daysWords(t, week)).toBe('window.everyDay');
  expect(daysWords(t, weekdays)).toBe('1 – 5');
  expect(daysWords(t, [6, 2, 1])).toBe('1, 2, 6');
  expect(daysWords(t, [7, 1, 2, 3, 5])).toBe('1 – 3, 5, 7');
  expect(daysWords(t, [4])).toBe('4');
});
