import { addDays, dayOf } from '@mooring/contract/shared/date-range';

/** The first of so many days, of which today is the last; days are those of UTC. */
export const firstDayOf = (now: Date, days: string): string => addDays(dayOf(now, 'UTC'), 1 - Number(days));
