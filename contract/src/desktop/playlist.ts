import { contentLimits } from './limits.ts';

/** An item without a weight, as in archives from before there were any, has the weight 1. */
interface Weighed {
  readonly weight?: unknown;
}
const weightOf = ({ weight }: Weighed): number =>
  typeof weight === 'number' && Number.isInteger(weight) && weight >= 1 && weight <= contentLimits.weight ? weight : 1;

/** Which item follows which until the playlist begins again: each as often as it weighs, spread evenly, the same on every terminal. */
export function roundOf(items: readonly Weighed[]): number[] {
  const weights = items.map(weightOf);
  const total = weights.reduce((sum, one) => sum + one, 0);
  const least = weights.reduce(commonDivisor, 0);
  const due = weights.map(() => 0);
  return Array.from({ length: least === 0 ? 0 : total / least }, () => {
    for (const [at, weight] of weights.entries()) due[at] = (due[at] ?? 0) + weight;
    const next = due.indexOf(Math.max(...due));
    due[next] = (due[next] ?? 0) - total;
    return next;
  });
}
const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/** Of the time in which a playlist runs, how much is each item’s: how long it is shown, as often as it weighs. */
export function sharesOf(items: readonly (Weighed & { readonly seconds?: number | null | undefined })[]): number[] {
  const shown = items.map((one) => weightOf(one) * Math.max(0, one.seconds ?? 0));
  const whole = shown.reduce((sum, one) => sum + one, 0);
  return shown.map((one) => (whole === 0 ? 0 : one / whole));
}
