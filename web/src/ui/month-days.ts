import { addDays, type Day, monthStart } from '@mooring/contract/shared/date-range';

const WEEK = 7;
/** As many as any month needs: what stands below a calendar keeps its place. */
const WEEKS = 6;
/** 1 is Monday, as in the hours that people set. */
const weekday = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay() || WEEK;

/** The weeks of a month, each from Monday; with the days of its neighbours at both ends. */
export function weeksOf(month: Day): readonly (readonly Day[])[] {
  const first = addDays(monthStart(month), 1 - weekday(monthStart(month)));
  return Array.from({ length: WEEKS }, (_, week) => Array.from({ length: WEEK }, (_of, at) => addDays(first, week * WEEK + at)));
}

/** The same day so many months on, or the last one of a month that is shorter. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate()))).toISOString().slice(0, 10);
}

/** Where a key leads from a day, in a calendar that reads forward to the right or to the left. */
export function dayByKey(day: Day, key: string, forward: 1 | -1): Day | undefined {
  if (key === 'PageUp') return addMonths(day, -1);
  if (key === 'PageDown') return addMonths(day, 1);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -forward,
    ArrowRight: forward,
    ArrowUp: -WEEK,
    ArrowDown: WEEK,
    Home: 1 - weekday(day),
    End: WEEK - weekday(day),
  };
  const { [key]: by } = steps;
  return by === undefined ? undefined : addDays(day, by);
}

/** Every day from one to another, whichever is earlier. */
export function daysBetween(one: Day, other: Day): Day[] {
  const [from, to] = [one, other].toSorted();
  const days: Day[] = [];
  for (let day = from ?? one; day <= (to ?? one); day = addDays(day, 1)) days.push(day);
  return days;
}

const SPAN = /^(\d{4}-\d{2}-\d{2})(?:\/|\.{2,3}|–)(\d{4}-\d{2}-\d{2})$/;
export const isDay = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};
/** What was typed, in order and each once: a first and a last day are all days of the span. What is no day, or too long a span, stays as it was typed. */
export function daysIn(texts: readonly string[], most: number): string[] {
  const days = texts.flatMap((text) => {
    const [, from = '', to = ''] = SPAN.exec(text) ?? [];
    if (!(isDay(from) && isDay(to)) || to < from || addDays(from, most) <= to) return [text];
    return daysBetween(from, to);
  });
  return [...new Set(days)].toSorted();
}
