/** Spans that are kept in minutes, as people enter them: a number of one unit. */
export const spanUnits = ['minute', 'hour', 'day'] as const;
export type SpanUnit = (typeof spanUnits)[number];
const minutesOf: Readonly<Record<SpanUnit, number>> = { minute: 1, hour: 60, day: 1440 };

/** The largest unit in which the span is a whole number: 10080 minutes are 7 days. */
export const unitOf = (minutes: unknown): SpanUnit =>
  typeof minutes === 'number' && minutes > 0 ? (spanUnits.findLast((unit) => minutes % minutesOf[unit] === 0) ?? 'minute') : 'minute';
/** What is no number stays as it was typed. */
export const inUnit = (minutes: number | string | undefined, unit: SpanUnit): number | string | undefined =>
  typeof minutes === 'number' ? minutes / minutesOf[unit] : minutes;
/** Half a day is a whole number of minutes; a third of a minute is none, and is said to be wrong. */
export const toMinutes = (count: number | string | undefined, unit: SpanUnit): number | string | undefined =>
  typeof count === 'number' ? Number((count * minutesOf[unit]).toFixed(6)) : count;
