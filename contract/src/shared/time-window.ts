import type { Window } from '../device/messages.ts';
import { addDays, type Day, dayOf, minuteOf, momentOf } from './date-range.ts';

const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
/** 1 Monday to 7 Sunday. */
const weekday = (day: Day) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
const isOpenOn = (window: Window, day: Day) => window.days.includes(weekday(day)) && !window.blackout.includes(day);

/** Is it inside the window, in the time zone given? A window that passes midnight belongs to the day on which it began, but never reaches into a closed date. */
export function isInWindow(window: Window, at: Date, timeZone: string): boolean {
  const day = dayOf(at, timeZone);
  const minute = minuteOf(at, timeZone);
  const [from, to] = [minutes(window.from), minutes(window.to)];
  if (from <= to) return isOpenOn(window, day) && minute >= from && minute < to;
  if (minute >= from) return isOpenOn(window, day);
  return minute < to && isOpenOn(window, addDays(day, -1)) && !window.blackout.includes(day);
}

export interface OpenHours {
  readonly from: Date;
  readonly to: Date;
}
/** A window may be closed for a hundred dates, and open one day a week. */
const LOOKED_AT_DAYS = 800;

/** The window's hours that end after a moment, the first ones first; fewer than asked for where none follow for two years. */
export function openHours(window: Window, after: Date, timeZone: string, count: number): OpenHours[] {
  const [from, to] = [minutes(window.from), minutes(window.to)];
  if (from === to) return [];
  const found: OpenHours[] = [];
  const first = addDays(dayOf(after, timeZone), -1);
  for (let ahead = 0; ahead < LOOKED_AT_DAYS && found.length < count; ahead++) {
    const day = addDays(first, ahead);
    if (!isOpenOn(window, day)) continue;
    const next = addDays(day, 1);
    const end = new Date(from < to ? momentOf(day, to, timeZone) : momentOf(next, window.blackout.includes(next) ? 0 : to, timeZone));
    if (end > after) found.push({ from: new Date(momentOf(day, from, timeZone)), to: end });
  }
  return found;
}
