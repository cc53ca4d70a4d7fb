const MINUTE = 60_000;
const DAY = 1440;

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** What a clock of this zone shows, in minutes of the day; of a zone that isn't known, UTC. */
function minuteIn(at: Date, zone: string): number {
  const parts = (timeZone: string) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  try {
    return minutesOf(parts(zone).format(at));
  } catch {
    return minutesOf(parts('UTC').format(at));
  }
}

/** When quiet hours that it is in now are over; undefined outside of them. `to` before `from` passes midnight. */
export function quietUntil(now: Date, zone: string, from: string, to: string): Date | undefined {
  if (from === '' || to === '' || from === to) return undefined;
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const minute = minuteIn(now, zone);
  const isQuiet = start < end ? minute >= start && minute < end : minute >= start || minute < end;
  if (!isQuiet) return undefined;
  const left = (end - minute + DAY) % DAY;
  return new Date(Math.floor(now.getTime() / MINUTE) * MINUTE + left * MINUTE);
}
