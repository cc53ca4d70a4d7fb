import { z } from 'zod';
import { documented } from '../kit/schema.ts';

const At = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid.time');

/** When a recurring job runs, in UTC. */
export const Schedule = z
  .discriminatedUnion('every', [
    z.strictObject({ every: z.literal('minutes'), count: z.int().min(1).max(59) }),
    z.strictObject({ every: z.literal('hour'), minute: z.int().min(0).max(59) }),
    z.strictObject({ every: z.literal('day'), at: At }),
    /** From Monday, 1, to Sunday, 7 (ISO 8601). */
    z.strictObject({ every: z.literal('week'), weekday: z.int().min(1).max(7), at: At }),
  ])
  .register(documented, { id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;
export type Every = Schedule['every'];

const two = (text: string | undefined) => (text ?? '').padStart(2, '0');

/** The five fields of a cron line. */
export function cronOf(schedule: Schedule): string {
  if (schedule.every === 'minutes') return schedule.count === 1 ? '* * * * *' : `*/${schedule.count} * * * *`;
  if (schedule.every === 'hour') return `${schedule.minute} * * * *`;
  const [hour, minute] = schedule.at.split(':').map(Number);
  return `${minute} ${hour} * * ${schedule.every === 'week' ? schedule.weekday % 7 : '*'}`;
}

/** Of the cron lines that `cronOf` writes; any other is refused. */
export function scheduleOf(cron: string): Schedule {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.split(' ');
  if (day !== '*' || month !== '*') throw new Error(`a schedule that has no words: ${cron}`);
  if (minute === '*') return { every: 'minutes', count: 1 };
  if (minute.startsWith('*/')) return { every: 'minutes', count: Number(minute.slice(2)) };
  if (hour === '*') return { every: 'hour', minute: Number(minute) };
  const at = `${two(hour)}:${two(minute)}`;
  return weekday === '*' ? { every: 'day', at } : { every: 'week', weekday: Number(weekday) || 7, at };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long it is from one run to the next, in milliseconds. */
export function periodOf(schedule: Schedule): number {
  if (schedule.every === 'minutes') return schedule.count * MINUTE;
  return { hour: HOUR, day: DAY, week: 7 * DAY }[schedule.every];
}

/** The first moment after `now` at which it runs. */
export function nextRun(schedule: Schedule, now: Date): Date {
  const period = periodOf(schedule);
  if (schedule.every === 'minutes' || schedule.every === 'hour') {
    const from = schedule.every === 'hour' ? schedule.minute * MINUTE : 0;
    // Minutes are counted within their hour, as cron counts them.
    const hour = Math.floor(now.getTime() / HOUR) * HOUR;
    const next = hour + from + (Math.floor((now.getTime() - hour - from) / period) + 1) * period;
    return new Date(schedule.every === 'minutes' && next >= hour + HOUR ? hour + HOUR : next);
  }
  const [hour = 0, minute = 0] = schedule.at.split(':').map(Number);
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute));
  while (next <= now || (schedule.every === 'week' && next.getUTCDay() !== schedule.weekday % 7)) next.setTime(next.getTime() + DAY);
  return next;
}

/** What an hour divides into: other steps of cron would run twice within few minutes at its turn. */
const MINUTE_STEPS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30] as const;

/** Minutes between two runs that a job may be set to: its own, and up to five times as many. */
export const minutesFor = (usual: Schedule): readonly number[] =>
  usual.every === 'minutes' ? MINUTE_STEPS.filter((step) => step >= usual.count && step <= 5 * usual.count) : [];

/** What a job may be set to: about as often as it was made for, or somewhat more seldom. */
export const choicesFor = (usual: Schedule): readonly Every[] =>
  (({ minutes: ['minutes'], hour: ['hour', 'day'], day: ['day', 'week'], week: ['week'] }) as const)[usual.every];

/** Whether a job that was made for one schedule may go by another. */
export function isWithin(usual: Schedule, wanted: Schedule): boolean {
  return choicesFor(usual).includes(wanted.every) && (wanted.every !== 'minutes' || minutesFor(usual).includes(wanted.count));
}
