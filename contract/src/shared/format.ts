/** All number, size, duration, date and money formats (specification, section 9). Pure: language and zone come in. */
export interface FormatContext {
  readonly locale: string;
  readonly timeZone: string;
}

const cache = new Map<string, unknown>();
function cached<T>(key: string, make: () => T): T {
  const found = cache.get(key);
  if (found !== undefined) return found as T;
  const made = make();
  cache.set(key, made);
  return made;
}
/** The digits of dates, SNs and versions for all other numbers too, whatever the language's own are. */
export const latinDigits = (locale: string): string => (locale.includes('-u-') ? locale : `${locale}-u-nu-latn`);

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'sd', 'ckb', 'dv', 'ug', 'yi']);
export const isRightToLeft = (lang: string): boolean => rightToLeft.has(lang.split('-')[0] ?? '');

/** Whether a text chooses its words by a value, which stands nowhere in them then. */
export const isChosenBy = (text: string, name: string): boolean => text.includes(`{${name}, select,`);

/** A value inside words that run the other way is kept apart (Unicode isolates): a date or an SN would fall to pieces. */
export const apart = (lang: string, value: string, as: 'first strong' | 'left to right' = 'first strong'): string =>
  value && isRightToLeft(lang) ? `${as === 'first strong' ? '\u2068' : '\u2066'}${value}\u2069` : value;

const numbers = (locale: string, options: Intl.NumberFormatOptions) =>
  cached(`n${locale}${JSON.stringify(options)}`, () => new Intl.NumberFormat(latinDigits(locale), options));
const dates = (locale: string, options: Intl.DateTimeFormatOptions) =>
  cached(`d${locale}${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));

export const formatNumber = (value: number, locale: string, decimals = 0): string =>
  numbers(locale, { maximumFractionDigits: decimals }).format(value);

export const formatPercent = (share: number, locale: string, decimals = 0): string =>
  numbers(locale, { style: 'percent', maximumFractionDigits: decimals }).format(share);

/** "10,000+" where counting stopped at the cap. */
export const formatTotal = (total: number, capped: boolean, locale: string, cap = 10_000): string =>
  capped ? `${formatNumber(cap, locale)}+` : formatNumber(total, locale);

const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Steps of 1024 up to TB. */
export function formatSize(bytes: number, locale: string): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1024 && unit < sizeUnits.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${formatNumber(value, locale, unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${sizeUnits[unit]}`;
}

const countUnits = [
  [1_000_000_000, 'B'],
  [1_000_000, 'M'],
  [1_000, 'K'],
] as const;

/** K, M, B from 1000; in the alternative form numbers stay whole below 10,000. */
export function formatCount(value: number, locale: string, form: 'short' | 'alternative' = 'short'): string {
  const size = Math.abs(value);
  if (size < (form === 'alternative' ? 10_000 : 1000)) return formatNumber(value, locale);
  const at = countUnits.findIndex(([from]) => size >= from);
  const [from, unit] = countUnits[at] ?? [1, ''];
  // Cut, never rounded up: 999,950 is "999.9K" and not "1000K".
  const cut = Math.trunc((value / from) * 10) / 10;
  return `${formatNumber(cut, locale, 1)}${unit}`;
}

/** "1h 2m 5s", in the units of the language; a zero part is left out, except in "0s". */
export function formatDuration(seconds: number, locale: string): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const;
  const write = (value: number, unit: string) =>
    numbers(locale, { style: 'unit', unit, unitDisplay: 'narrow', useGrouping: false }).format(value);
  const written = parts.flatMap(([value, unit]) => (value > 0 ? [write(value, unit)] : []));
  const list = cached(`l${locale}`, () => new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }));
  return list.format(written.length > 0 ? written : [write(0, 'second')]);
}

/** "7 days", "1 hour 30 minutes": a span as people say it, in its two largest units. */
export function formatSpan(seconds: number, locale: string): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    [Math.floor(whole / 86_400), 'day'],
    [Math.floor(whole / 3600) % 24, 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const;
  const write = (value: number, unit: string) => numbers(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  const first = parts.findIndex(([value]) => value > 0);
  const written = parts.slice(Math.max(0, first), first + 2).flatMap(([value, unit]) => (value > 0 ? [write(value, unit)] : []));
  const list = cached(`l${locale}`, () => new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' }));
  return list.format(first < 0 ? [write(0, 'second')] : written);
}

export type MomentStyle = 'date' | 'minute' | 'second' | 'time' | 'clock' | 'dayClock' | 'month';

/** Dates are written year-month-day everywhere, so that columns line up and sort by eye. */
export function formatMoment(value: string | number | Date, context: FormatContext, style: MomentStyle = 'minute'): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return '';
  const parts = dates('en-GB', {
    timeZone: context.timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(date);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  const day = `${part('year')}-${part('month')}-${part('day')}`;
  const minute = `${part('hour')}:${part('minute')}`;
  if (style === 'month') return day.slice(0, 7);
  if (style === 'date') return day;
  if (style === 'clock') return minute;
  if (style === 'dayClock') return `${day.slice(5)} ${minute}`;
  if (style === 'time') return `${minute}:${part('second')}`;
  return style === 'second' ? `${day} ${minute}:${part('second')}` : `${day} ${minute}`;
}

const dayWords = {
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'long' },
  narrowWeekday: { weekday: 'narrow' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
export type DayWords = keyof typeof dayWords;
/** "December 2026", "Thursday": of a day without a time zone, by the calendar of its digits whatever the language's own is. */
export const formatDayWords = (day: string, locale: string, words: DayWords): string =>
  dates(latinDigits(locale), { ...dayWords[words], calendar: 'gregory', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

const steps = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** "5 minutes ago", "in 2 days". */
export function formatAgo(value: string | number | Date, locale: string, now: number): string {
  const seconds = (new Date(value).getTime() - now) / 1000;
  const relative = cached(`r${locale}`, () => new Intl.RelativeTimeFormat(latinDigits(locale), { numeric: 'auto', style: 'short' }));
  for (const [size, unit] of steps) if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return relative.format(Math.trunc(seconds), 'second');
}

/** Currency 1 is ¥, 2 is $. */
export function formatMoney(value: number | string, currency: 1 | 2 | '1' | '2', locale: string): string {
  const amount = numbers(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(Number(value));
  return `${String(currency) === '2' ? '$' : '¥'}${amount}`;
}

/** "UTC+08:00" of a zone at a moment. */
export function formatOffset(timeZone: string, at: number): string {
  const name =
    dates('en-US', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find((one) => one.type === 'timeZoneName')?.value ?? 'GMT';
  return name === 'GMT' ? 'UTC' : name.replace('GMT', 'UTC');
}
