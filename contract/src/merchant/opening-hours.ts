import { z } from 'zod';
import { Clock } from '../device/messages.ts';

/** One stretch on one day of the week, 1 Monday to 7 Sunday, by the shop's own clock; `to` before `from` passes midnight. */
const Opening = z
  .strictObject({ day: z.int().min(1).max(7), from: Clock, to: Clock })
  .refine(({ from, to }) => from !== to, { message: 'invalid.openingEmpty', path: ['to'] });
export type Opening = z.output<typeof Opening>;

const DAY = 24 * 60;
const WEEK = 7 * DAY;
const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** As people write it: 9:00, 9 or 0900 means 09:00. What is no time of a day stays as it is. */
export function clockOf(typed: string): string {
  const found = /^(\d{1,2})(?:[:.h]?([0-5]\d))?$/.exec(typed.trim());
  const clock = found ? `${String(found[1]).padStart(2, '0')}:${found[2] ?? '00'}` : typed;
  return Clock.safeParse(clock).success ? clock : typed;
}

/** In minutes of a week that begins on Monday; what passes midnight may end in the week after it. */
function stretchOf({ day, from, to }: Opening): { readonly from: number; readonly to: number } {
  const start = (day - 1) * DAY + minutes(from);
  const end = (day - 1) * DAY + minutes(to);
  return { from: start, to: end > start ? end : end + DAY };
}

/** The first stretch that begins before another one has ended, by its place; Sunday night reaches into Monday. */
export function overlapIn(hours: readonly Opening[]): number | undefined {
  const all = hours.map((one, at) => ({ at, ...stretchOf(one) })).sort((a, b) => a.from - b.from);
  const [first] = all;
  const last = all.at(-1);
  const found = all.find((one, at) => at > 0 && one.from < (all[at - 1]?.to ?? 0));
  return found?.at ?? (first && last && last.to - WEEK > first.from ? first.at : undefined);
}

/** Whether a shop is open, by minutes of its own week. */
export const isOpenAt = (hours: readonly Opening[], day: number, minute: number): boolean => {
  const now = (day - 1) * DAY + minute;
  return hours.map(stretchOf).some(({ from, to }) => (now >= from && now < to) || now + WEEK < to);
};

/** Several a day; none on a day: closed. */
export const OpeningHours = z
  .array(Opening)
  .max(42)
  .superRefine((hours, ctx) => {
    const at = overlapIn(hours);
    if (at !== undefined) ctx.addIssue({ code: 'custom', message: 'invalid.openingOverlap', path: [at] });
  })
  .default([]);

/** Days with the same hours together, as sheets have them: "1-5 09:00-18:00; 6 10:00-14:00". */
export function writeHours(hours: readonly Opening[]): string {
  const ofDay = new Map<number, string>();
  for (const { day, from, to } of hours.toSorted((a, b) => a.day - b.day || a.from.localeCompare(b.from)))
    ofDay.set(day, [ofDay.get(day), `${from}-${to}`].filter(Boolean).join(' '));
  const runs: { first: number; last: number; text: string }[] = [];
  for (const [day, text] of ofDay) {
    const before = runs.at(-1);
    if (before?.text === text && before.last === day - 1) before.last = day;
    else runs.push({ first: day, last: day, text });
  }
  return runs.map(({ first, last, text }) => `${first === last ? first : `${first}-${last}`} ${text}`).join('; ');
}

const LINE = /^([1-7])(?:\s*[-–]\s*([1-7]))?((?:\s+\d\d:\d\d\s*[-–]\s*\d\d:\d\d)+)$/;
/** What `writeHours` writes; undefined where it is anything else. */
export function readHours(text: string): Opening[] | undefined {
  const found: Opening[] = [];
  for (const part of text.split(';').map((one) => one.trim())) {
    if (part === '') continue;
    const [, first, last = first, times = ''] = LINE.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first)) return undefined;
    for (let day = Number(first); day <= Number(last); day += 1)
      for (const [, from = '', to = ''] of times.matchAll(/(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)/g)) found.push({ day, from, to });
  }
  return found;
}
