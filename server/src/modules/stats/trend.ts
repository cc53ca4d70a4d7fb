import { addDays, dayOf, monthlyRange } from '@mooring/contract/shared/date-range';
import type { statisticCalls } from '@mooring/contract/stats/calls';
import type { Handler } from '../../platform/module.ts';
import { figuresByDay, samplesByDay } from './figures.ts';
import { whereOf } from './where.ts';

const measuresOf = { activated: ['activated'], online: ['online'], results: ['succeeded', 'failed'], bytes: ['bytes'] } as const;
const FIRST = '2000-01-01';
/** A day each for ten years: what a picture can show, and a page carry. */
const MOST = 3660;

function* steps(from: string, to: string, monthly: boolean) {
  for (let day = from, n = 0; day <= to && n < MOST; day = monthly ? `${addDays(day, 31).slice(0, 7)}-01` : addDays(day, 1), n += 1)
    yield day;
}

/** By day or month, without a gap: a day of which nothing is known is zero, but for online, where it isn't told. */
export const trend: Handler<typeof statisticCalls.trend> = async (ctx, { measure, tendencyType, summaryDate, ...of }) => {
  const where = await whereOf(ctx, of);
  const isMonthly = tendencyType !== '1';
  const step = isMonthly ? 'month' : 'day';
  const asked = { from: summaryDate.greaterThanOrEqual, to: summaryDate.lessThanOrEqual };
  const range = isMonthly ? monthlyRange(asked) : asked;
  const today = dayOf(ctx.now(), 'UTC');
  const last = range.to && range.to < today ? range.to : today;
  const measures = measuresOf[measure];
  const from = range.from ?? FIRST;
  const found = await figuresByDay(ctx.db, where, { measures, from, to: addDays(last, 1) }, step);
  const samples = measure === 'online' ? await samplesByDay(ctx.db, from, addDays(last, 1), step) : undefined;
  const good = new Map<string, number>();
  const bad = new Map<string, number>();
  for (const one of found) {
    const into = one.measure === 'failed' ? bad : good;
    into.set(one.day, (into.get(one.day) ?? 0) + one.n);
  }
  const begun = range.from ?? [...good.keys(), ...bad.keys(), ...(samples?.keys() ?? [])].sort()[0];
  const days = begun === undefined ? [] : [...steps(isMonthly ? `${begun.slice(0, 7)}-01` : begun, last, isMonthly)];
  const entries = days
    .filter((day) => !samples || samples.has(day))
    .map((day) => ({
      summaryDate: isMonthly ? day.slice(0, 7) : day,
      totalCnt: (good.get(day) ?? 0) / (samples?.get(day) ?? 1),
      failedCnt: bad.get(day) ?? 0,
    }));
  const cnt = entries.reduce((sum, one) => sum + one.totalCnt, 0);
  const top = entries.reduce<(typeof entries)[number] | undefined>(
    (best, one) => (!best || one.totalCnt > best.totalCnt ? one : best),
    undefined,
  );
  return {
    entries,
    // A sum of averages says nothing: of online it is their average.
    totalSummary: {
      cnt: samples ? cnt / Math.max(1, entries.length) : cnt,
      failedCnt: entries.reduce((sum, one) => sum + one.failedCnt, 0),
    },
    max: top && top.totalCnt > 0 ? { summaryDate: top.summaryDate, cnt: top.totalCnt } : null,
  };
};
