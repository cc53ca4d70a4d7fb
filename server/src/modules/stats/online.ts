import { deviceMachine } from '@mooring/contract/device/state-machines';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { addDays, dayOf } from '@mooring/contract/shared/date-range';
import type { OnlineCurve, Span } from '@mooring/contract/stats/schemas';
import type { Ctx } from '../../platform/context.ts';
import { figuresByDay, figuresByHour, figuresNow, sampledHours, samplesByDay, type Where } from './figures.ts';

const HOUR = 3_600_000;
const ONLINE = codeOf(deviceMachine, 'online');

/** What was counted at a time: nothing where there was no sample, zero where there was one and nobody was online. */
type Value = number | null;
const averageOf = (values: readonly Value[]): Value => {
  const counted = values.filter((one) => one !== null);
  return counted.length === 0 ? null : counted.reduce((sum, n) => sum + n, 0) / counted.length;
};

async function byHour(ctx: Ctx, where: Where, hours: number): Promise<{ at: Date; online: Value; before: Value }[]> {
  const last = Math.floor(ctx.now().getTime() / HOUR) * HOUR;
  const [from, to] = [new Date(last - (2 * hours - 1) * HOUR), new Date(last + HOUR)];
  const sampled = await sampledHours(ctx.db, from, to);
  const counted = await figuresByHour(ctx.db, where, { measures: ['online'], from, to });
  const sums = new Map(counted.map((one) => [one.at.getTime(), one.n]));
  const valueAt = (at: number): Value => (sampled.has(at) ? (sums.get(at) ?? 0) : null);
  return Array.from({ length: hours }, (_none, nth) => {
    const at = last - (hours - 1 - nth) * HOUR;
    return { at: new Date(at), online: valueAt(at), before: valueAt(at - hours * HOUR) };
  });
}

async function byDay(ctx: Ctx, where: Where, days: number): Promise<{ at: Date; online: Value; before: Value }[]> {
  const today = dayOf(ctx.now(), 'UTC');
  const [from, to] = [addDays(today, -(2 * days - 1)), addDays(today, 1)];
  const samples = await samplesByDay(ctx.db, from, to);
  const counted = await figuresByDay(ctx.db, where, { measures: ['online'], from, to });
  const sums = new Map(counted.map((one) => [one.day, one.n]));
  const valueOn = (day: string): Value => (samples.has(day) ? (sums.get(day) ?? 0) / (samples.get(day) ?? 1) : null);
  return Array.from({ length: days }, (_none, nth) => {
    const day = addDays(today, nth - days + 1);
    return { at: new Date(`${day}T00:00:00Z`), online: valueOn(day), before: valueOn(addDays(day, -days)) };
  });
}

/** Zero on average beside terminals that are online now was counted before there were any. */
const toldOf = (average: Value, now: number): Value => (average === 0 && now > 0 ? null : average);

/** Terminals online: of a day by the hour, else each day's average, beside the same time before. */
export async function onlineOf(ctx: Ctx, where: Where, days: Span): Promise<OnlineCurve> {
  const found = await figuresNow(ctx.db, where, ['status']);
  const now = found.reduce((sum, one) => sum + (one.detail === ONLINE ? one.n : 0), 0);
  const points = days === '1' ? await byHour(ctx, where, 24) : await byDay(ctx, where, Number(days));
  return {
    now,
    points: points.map((one) => ({ ...one, at: one.at.toISOString() })),
    average: toldOf(averageOf(points.map((one) => one.online)), now),
    averageBefore: averageOf(points.map((one) => one.before)),
  };
}
