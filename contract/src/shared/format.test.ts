import { expect, it } from 'vitest';
import {
  addDays,
  dayOf,
  daysOf,
  isWall,
  momentsOf,
  monthlyRange,
  presetRange,
  startOf,
  statisticOf,
  statisticRange,
  wallsOf,
} from './date-range.ts';
import {
  formatAgo,
  formatCount,
  formatDayWords,
  formatDuration,
  formatMoment,
  formatMoney,
  formatNumber,
  formatOffset,
  formatSize,
  formatSpan,
  formatTotal,
} from './format.ts';

it.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [65_011_712, '62 MB'],
  [1024 ** 4, '1 TB'],
  [1024 ** 5 * 3, '3,072 TB'],
])('size %d', (bytes, text) => expect(formatSize(bytes, 'en')).toBe(text));
it.each([
  [999, '999', '999'],
  [1000, '1K', '1,000'],
  [9999, '9.9K', '9,999'],
  [10_000, '10K', '10K'],
  [999_950, '999.9K', '999.9K'],
  [1_250_000, '1.2M', '1.2M'],
  [3e9, '3B', '3B'],
])('count %d', (value, short, alternative) =>
  expect([formatCount(value, 'en'), formatCount(value, 'en', 'alternative')]).toEqual([short, alternative]),
);
it.each([
  [0, '0s'],
  [59, '59s'],
  [60, '1m'],
  [3725, '1h 2m 5s'],
  [90_000, '25h'],
  [-3, '0s'],
])('duration %d', (seconds, text) => expect(formatDuration(seconds, 'en')).toBe(text));
it.each([
  ['zh-CN', 17_040, '4小时44分钟'],
  ['ar', 17_040, '4 س و44 د'],
  ['ar', 0, '0 ث'],
  ['de', 17_045, '4h, 44 Min. und 5 Sek.'],
])('a duration in %s', (locale, seconds, text) => expect(formatDuration(seconds, locale).replaceAll('\u00a0', ' ')).toBe(text));
it.each([
  ['en', 0, '0 seconds'],
  ['en', 90, '1 minute 30 seconds'],
  ['en', 15 * 60, '15 minutes'],
  ['en', 5400, '1 hour 30 minutes'],
  ['en', 10_080 * 60, '7 days'],
  ['en', 86_400 + 60, '1 day'],
  ['zh-CN', 10_080 * 60, '7天'],
  ['ar', 10_080 * 60, '7 أيام'],
])('a span in %s of %d', (locale, seconds, text) => expect(formatSpan(seconds, locale).replaceAll('\u00a0', ' ')).toBe(text));
it('totals, numbers and money', () => {
  expect([formatTotal(10_001, true, 'en'), formatTotal(9999, false, 'en'), formatNumber(1234.5, 'en', 1)]).toEqual([
    '10,000+',
    '9,999',
    '1,234.5',
  ]);
  expect([formatMoney('12345678.9', 1, 'zh-CN'), formatMoney(5, '2', 'en')]).toEqual(['¥12,345,678.90', '$5.00']);
});
it('moments in a zone', () => {
  const shanghai = { locale: 'en', timeZone: 'Asia/Shanghai' };
  expect(formatMoment('2026-03-01T16:05:09Z', shanghai, 'second')).toBe('2026-03-02 00:05:09');
  expect(formatMoment('2026-03-01T16:05:09Z', shanghai, 'clock')).toBe('00:05');
  expect(formatMoment('2026-03-01T16:05:09Z', shanghai, 'dayClock')).toBe('03-02 00:05');
  expect(formatMoment('2026-03-01T16:05:09Z', shanghai, 'month')).toBe('2026-03');
  expect(formatMoment('nonsense', shanghai)).toBe('');
  expect(formatOffset('Asia/Kolkata', 0)).toBe('UTC+05:30');
  expect(formatAgo('2026-03-01T00:00:00Z', 'en', Date.parse('2026-03-01T00:05:00Z'))).toBe('5 min. ago');
});
it.each([
  ['en', 'December 2026', 'Thursday', 'T'],
  ['zh-CN', '2026年12月', '星期四', '四'],
  ['ar', 'ديسمبر 2026', 'الخميس', 'خ'],
  ['fa', 'دسامبر 2026', 'پنجشنبه', 'پ'],
])('a day in the words of %s', (locale, month, weekday, narrow) => {
  const words = (of: 'month' | 'weekday' | 'narrowWeekday') => formatDayWords('2026-12-24', locale, of);
  expect([words('month'), words('weekday'), words('narrowWeekday')]).toEqual([month, weekday, narrow]);
});
it('whole days, also where the clock changes', () => {
  expect(momentsOf({ from: '2026-03-29', to: '2026-03-29' }, 'Europe/Berlin')).toEqual({
    greaterThanOrEqual: '2026-03-28T23:00:00.000Z',
    lessThanOrEqual: '2026-03-29T21:59:59.999Z',
  });
  expect(new Date(startOf('2026-11-01', 'America/New_York')).toISOString()).toBe('2026-11-01T04:00:00.000Z');
  expect(daysOf(momentsOf({ from: '2026-01-05', to: undefined }, 'Asia/Tokyo'), 'Asia/Tokyo')).toEqual({
    from: '2026-01-05',
    to: undefined,
  });
  expect(dayOf('2026-01-01T20:00:00Z', 'Asia/Tokyo')).toBe('2026-01-02');
});
it('presets and statistic ranges', () => {
  expect(presetRange('last3', '2026-03-02')).toEqual({ from: '2026-02-28', to: '2026-03-02' });
  expect(presetRange('last7', '2026-03-07').from).toBe('2026-03-01');
  expect(presetRange('over30', '2026-03-31').to).toBe(addDays(presetRange('last30', '2026-03-31').from ?? '', -1));
  expect(statisticRange('cumulative', '2026-03-31')).toEqual({ from: undefined, to: undefined });
  expect(statisticRange('thisMonth', '2026-03-31').from).toBe('2026-03-01');
  for (const one of ['cumulative', 'last30', 'thisMonth'] as const)
    expect(statisticOf(statisticRange(one, '2026-03-31'), '2026-03-31')).toBe(one);
  expect(statisticOf({ from: '2026-03-05', to: '2026-03-07' }, '2026-03-31')).toBe('custom');
  expect(monthlyRange({ from: '2026-02-17', to: '2026-02-17' })).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(monthlyRange({ from: undefined, to: '2026-12-09' })).toEqual({ from: undefined, to: '2026-12-31' });
});

it('a range may begin and end by the minute, and says days where they are whole', () => {
  const night = { from: '2026-11-28T22:30', to: '2026-11-29T01:15' };
  const moments = momentsOf(night, 'Asia/Tokyo');
  expect(moments).toEqual({ greaterThanOrEqual: '2026-11-28T13:30:00.000Z', lessThanOrEqual: '2026-11-28T16:15:59.999Z' });
  expect(wallsOf(moments, 'Asia/Tokyo')).toEqual(night);
  const days = { from: '2026-03-29', to: '2026-03-29' };
  expect(wallsOf(momentsOf(days, 'Europe/Berlin'), 'Europe/Berlin')).toEqual(days);
  expect(wallsOf(momentsOf({ from: '2026-11-28T22:30', to: undefined }, 'UTC'), 'UTC')).toEqual({
    from: '2026-11-28T22:30',
    to: undefined,
  });
  const [good, bad] = [
    ['2026-11-28', '2026-11-28T00:00', '2026-11-28T23:59'],
    ['', '2026-11-31', '2026-13-01', '2026-11-28T24:00', '2026-11-28T10:60', '2026-11-28 10:30', 'T10:30'],
  ];
  expect([good.filter(isWall), bad.filter(isWall)]).toEqual([good, []]);
});
