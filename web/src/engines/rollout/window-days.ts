import type { T } from '../../ui/words.ts';

export const week: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
export const weekdays: readonly number[] = week.slice(0, 5);
const RUN = 3;

/** Days of the week (1 is Monday) in words: all of them, three and more in a row by the first and the last. */
export function daysWords(t: T, days: readonly number[]): string {
  if (days.length === week.length) return t('window.everyDay');
  const runs: number[][] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const name = (day: number) => t(`firmware.task.day.${day as 1}`);
  return runs.flatMap((run) => (run.length < RUN ? run.map(name) : [`${name(run[0] ?? 1)} – ${name(run.at(-1) ?? 1)}`])).join(', ');
}
