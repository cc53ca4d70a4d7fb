import type { Window } from '@mooring/contract/device/messages';

interface Local {
  readonly day: number;
  readonly minute: number;
  readonly date: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function localOf(at: Date, timeZone: string): Local {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map((one) => [one.type, one.value]));
  return {
    day: days.indexOf(part.weekday ?? '') + 1,
    minute: Number(part.hour) * 60 + Number(part.minute),
    date: `${part.year}-${part.month}-${part.day}`,
  };
}
const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Is it inside the window, in the terminal's own time zone? A window that passes midnight belongs to the day on which it began. */
export function isInWindow(window: Window, at: Date, timeZone: string): boolean {
  const now = localOf(at, timeZone);
  const [from, to] = [minutes(window.from), minutes(window.to)];
  const open = (day: number, date: string) => window.days.includes(day) && !window.blackout.includes(date);
  if (from <= to) return open(now.day, now.date) && now.minute >= from && now.minute < to;
  if (now.minute >= from) return open(now.day, now.date);
  const before = localOf(new Date(at.getTime() - 86_400_000), timeZone);
  return now.minute < to && open(before.day, before.date);
}
