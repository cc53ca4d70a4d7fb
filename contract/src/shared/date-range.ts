/** Ranges of specification section 9. Days are `YYYY-MM-DD` in the person's time zone; moments leave as ISO in UTC. */
export type Day = string;
export interface DayRange {
  readonly from: Day | undefined;
  readonly to: Day | undefined;
}
export interface MomentRange {
  greaterThanOrEqual?: string;
  lessThanOrEqual?: string;
}

export type Preset = 'last3' | 'last7' | 'last30' | 'over30';
export type StatisticRange = 'cumulative' | 'last30' | 'thisMonth' | 'custom';
export const presets: readonly Preset[] = ['last3', 'last7', 'last30', 'over30'];
export const statisticRanges: readonly StatisticRange[] = ['cumulative', 'last30', 'thisMonth', 'custom'];

const formats = new Map<string, Intl.DateTimeFormat>();
/** Kept: making one costs a hundred times as much as asking it. */
function zoned(timeZone: string): Intl.DateTimeFormat {
  const kept = formats.get(timeZone);
  if (kept) return kept;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}

function wall(at: number, timeZone: string): number {
  const parts = zoned(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

export function dayOf(at: number | string | Date, timeZone: string): Day {
  return new Date(wall(new Date(at).getTime(), timeZone)).toISOString().slice(0, 10);
}

export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
/** A day begins in the east and ends in the west: over everywhere. */
export const isOver = (day: Day, now: Date): boolean => day < addDays(dayOf(now, 'UTC'), -1);
export const monthStart = (day: Day): Day => `${day.slice(0, 7)}-01`;

const MINUTE = 60_000;
/** Minutes since midnight, by the clock on the wall. */
export const minuteOf = (at: number | string | Date, timeZone: string): number =>
  Math.floor((wall(new Date(at).getTime(), timeZone) % 86_400_000) / MINUTE);

/** When the clock on the wall is so many minutes after midnight. Asked twice, because the offset may change between the guess and the answer. */
export function momentOf(day: Day, minute: number, timeZone: string): number {
  const target = Date.parse(`${day}T00:00:00Z`) + minute * MINUTE;
  let at = target;
  for (let turn = 0; turn < 2; turn++) at += target - wall(at, timeZone);
  return at;
}
/** The first moment of a day in a zone. */
export const startOf = (day: Day, timeZone: string): number => momentOf(day, 0, timeZone);
export const endOf = (day: Day, timeZone: string): number => startOf(addDays(day, 1), timeZone) - 1;

const WALL = /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):([0-5]\d))?$/;
/** A day, or a minute of one by the clock on the wall: `2026-11-28T10:30`. */
export function isWall(text: string): boolean {
  const [, day] = WALL.exec(text) ?? [];
  return day !== undefined && new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day);
}
const first = (text: string, timeZone: string): number => {
  const [, day = '', hours = '0', minutes = '0'] = WALL.exec(text) ?? [];
  return momentOf(day, Number(hours) * 60 + Number(minutes), timeZone);
};
const last = (text: string, timeZone: string): number => (text.includes('T') ? first(text, timeZone) + MINUTE - 1 : endOf(text, timeZone));

/** From the start of the first day or minute to the end of the last. */
export function momentsOf(range: DayRange, timeZone: string): MomentRange {
  return {
    ...(range.from ? { greaterThanOrEqual: new Date(first(range.from, timeZone)).toISOString() } : {}),
    ...(range.to ? { lessThanOrEqual: new Date(last(range.to, timeZone)).toISOString() } : {}),
  };
}

const wallOf = (at: string, timeZone: string): string => new Date(wall(Date.parse(at), timeZone)).toISOString().slice(0, 16);
/** What the clock on the wall says now: `2026-11-28T10:30`. */
export const wallNow = (timeZone: string): string => wallOf(new Date().toISOString(), timeZone);
/** A day of the calendar is the same one everywhere. */
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);
/** Days where they are whole, minutes otherwise: what `momentsOf` makes the same moments of. */
export function wallsOf({ greaterThanOrEqual: from, lessThanOrEqual: to }: MomentRange, timeZone: string): DayRange {
  const said = (at: string | undefined, of: (day: Day, zone: string) => number) => {
    if (at === undefined || isDay(at)) return at;
    const day = dayOf(at, timeZone);
    return of(day, timeZone) === Date.parse(at) ? day : wallOf(at, timeZone);
  };
  return { from: said(from, startOf), to: said(to, endOf) };
}

export function daysOf(moments: MomentRange, timeZone: string): DayRange {
  const day = (at: string | undefined) => (at && !isDay(at) ? dayOf(at, timeZone) : at);
  return { from: day(moments.greaterThanOrEqual), to: day(moments.lessThanOrEqual) };
}

/** As days of the calendar are asked for. */
export const ofDays = ({ from, to }: DayRange): MomentRange => ({
  ...(from ? { greaterThanOrEqual: from.slice(0, 10) } : {}),
  ...(to ? { lessThanOrEqual: to.slice(0, 10) } : {}),
});

/** "Last 3 days" holds today. "Over 30 days" ends before "last 30 days" begins. */
export function presetRange(preset: Preset, today: Day): DayRange {
  if (preset === 'over30') return { from: undefined, to: addDays(today, -30) };
  return { from: addDays(today, preset === 'last3' ? -2 : preset === 'last7' ? -6 : -29), to: today };
}

export function statisticRange(range: StatisticRange, today: Day, custom: DayRange = { from: undefined, to: undefined }): DayRange {
  if (range === 'cumulative') return { from: undefined, to: undefined };
  if (range === 'last30') return { from: addDays(today, -29), to: today };
  return range === 'thisMonth' ? { from: monthStart(today), to: today } : custom;
}

/** Which of the four a range is, seen on that day. */
export const statisticOf = (range: DayRange, today: Day): StatisticRange =>
  statisticRanges.find((one) => {
    const found = statisticRange(one, today);
    return one !== 'custom' && found.from === range.from && found.to === range.to;
  }) ?? 'custom';

/** Monthly trends count from the 1st of the first month to the end of the last. */
export const monthlyRange = (range: DayRange): DayRange => ({
  from: range.from && monthStart(range.from),
  to: range.to && addDays(monthStart(addDays(monthStart(range.to), 31)), -1),
});
