import { WINDOW_DATES, type Window } from '@mooring/contract/device/messages';
import { addDays, type Day } from '@mooring/contract/shared/date-range';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { pathsAbove } from '../../platform/paths-above.ts';

const always: Window = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', blackout: [] };

function daysBetween(from: Day, to: Day): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** When a terminal may install: the window of its release without the blackout dates of its organisation and of those above it. */
export type WindowOf = (deptPath: string, window: Window | null) => Window | null;

export async function windowsOf(db: Db, deptPaths: readonly string[], now: Date): Promise<WindowOf> {
  const paths = [...new Set(deptPaths.flatMap(pathsAbove))];
  // Somewhere it is yesterday still.
  const since = addDays(now.toISOString().slice(0, 10), -1);
  const found = await sql<{ dept_path: string; from_day: Day; to_day: Day }>`
    select dept_path, from_day, to_day from release_blackout where dept_path = any(${paths}::text[]) and to_day >= ${since} order by from_day`.execute(
    db,
  );
  const byPath = Map.groupBy(found.rows, (row) => row.dept_path);
  return (deptPath, window) => {
    const dates = pathsAbove(deptPath).flatMap((path) => (byPath.get(path) ?? []).flatMap((row) => daysBetween(row.from_day, row.to_day)));
    if (dates.length === 0) return window;
    const kept = window ?? always;
    const blackout = [...new Set([...kept.blackout, ...dates])].filter((day) => day >= since).toSorted();
    return { ...kept, blackout: blackout.slice(0, WINDOW_DATES) };
  };
}
