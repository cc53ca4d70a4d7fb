import { expect, test } from 'vitest';
import { cronOf, isWithin, nextRun, type Schedule, scheduleOf } from './schedule.ts';

const schedules: readonly Schedule[] = [
  { every: 'minutes', count: 1 },
  { every: 'minutes', count: 5 },
  { every: 'hour', minute: 17 },
  { every: 'day', at: '03:07' },
  { every: 'week', weekday: 7, at: '23:59' },
];

test('a schedule is a cron line and back', () => {
  expect(schedules.map(cronOf)).toEqual(['* * * * *', '*/5 * * * *', '17 * * * *', '7 3 * * *', '59 23 * * 0']);
  for (const one of schedules) expect(scheduleOf(cronOf(one))).toEqual(one);
  expect(() => scheduleOf('0 0 1 * *')).toThrow('no words');
});

test.each([
  [{ every: 'minutes', count: 1 }, '2026-03-01T10:00:00Z', '2026-03-01T10:01:00Z'],
  [{ every: 'minutes', count: 25 }, '2026-03-01T10:51:00Z', '2026-03-01T11:00:00Z'],
  [{ every: 'hour', minute: 17 }, '2026-03-01T10:17:00Z', '2026-03-01T11:17:00Z'],
  [{ every: 'hour', minute: 17 }, '2026-03-01T10:16:59Z', '2026-03-01T10:17:00Z'],
  [{ every: 'day', at: '03:07' }, '2026-02-28T03:07:00Z', '2026-03-01T03:07:00Z'],
  [{ every: 'week', weekday: 7, at: '23:59' }, '2026-03-02T00:00:00Z', '2026-03-08T23:59:00Z'],
] as const)('%o after %s comes at %s', (schedule, now, next) => {
  expect(nextRun(schedule, new Date(now))).toEqual(new Date(next));
});

test.each([
  [{ every: 'minutes', count: 5 }, { every: 'minutes', count: 20 }, true],
  [{ every: 'minutes', count: 5 }, { every: 'minutes', count: 25 }, false],
  [{ every: 'minutes', count: 5 }, { every: 'minutes', count: 4 }, false],
  [{ every: 'minutes', count: 5 }, { every: 'minutes', count: 30 }, false],
  [{ every: 'minutes', count: 10 }, { every: 'minutes', count: 31 }, false],
  [{ every: 'minutes', count: 1 }, { every: 'hour', minute: 1 }, false],
  [{ every: 'day', at: '03:07' }, { every: 'minutes', count: 1 }, false],
  [{ every: 'day', at: '03:07' }, { every: 'week', weekday: 1, at: '03:07' }, true],
] as const)('what runs %o may be set to %o: %s', (usual, wanted, may) => {
  expect(isWithin(usual, wanted)).toBe(may);
});
