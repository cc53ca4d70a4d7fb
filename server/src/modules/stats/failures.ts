import { addDays, dayOf } from '@mooring/contract/shared/date-range';
import type { Failures, Span } from '@mooring/contract/stats/schemas';
import type { Ctx } from '../../platform/context.ts';
import { figuresByDay, figuresByHour, type Where } from './figures.ts';

const HOUR = 3_600_000;
const measures = ['succeeded', 'failed'];

/** What happened in the last hours or days, and in as many before them. */
async function halves(ctx: Ctx, where: Where, days: Span) {
  if (days === '1') {
    const to = (Math.floor(ctx.now().getTime() / HOUR) + 1) * HOUR;
    const [middle, from] = [to - 24 * HOUR, to - 48 * HOUR];
    const found = await figuresByHour(ctx.db, where, { measures, from: new Date(from), to: new Date(to) });
    return found.map((one) => ({ ...one, isNow: one.at.getTime() >= middle }));
  }
  const to = addDays(dayOf(ctx.now(), 'UTC'), 1);
  const [middle, from] = [addDays(to, -Number(days)), addDays(to, -2 * Number(days))];
  const found = await figuresByDay(ctx.db, where, { measures, from, to });
  return found.map((one) => ({ ...one, isNow: one.day >= middle }));
}

/** Why terminals did not install, the most frequent reason first. */
export async function failuresOf(ctx: Ctx, where: Where, days: Span): Promise<Failures> {
  const found = await halves(ctx, where, days);
  const sum = (some: readonly { readonly n: number }[]) => some.reduce((all, one) => all + one.n, 0);
  const failed = found.filter((one) => one.measure === 'failed');
  const reasons = Map.groupBy(
    failed.filter((one) => one.isNow),
    (one) => one.detail,
  );
  return {
    total: sum(failed.filter((one) => one.isNow)),
    before: sum(failed.filter((one) => !one.isNow)),
    succeeded: sum(found.filter((one) => one.measure === 'succeeded' && one.isNow)),
    reasons: [...reasons]
      .map(([reason, some]) => ({ reason, count: sum(some) }))
      // Those of terminals that were tried again have come to nothing.
      .filter((one) => one.count > 0)
      .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
  };
}
