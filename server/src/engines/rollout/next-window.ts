import type { Window } from '@mooring/contract/device/messages';
import type { Openings } from '@mooring/contract/engines/rollout/schemas';
import { type Day, dayOf } from '@mooring/contract/shared/date-range';
import { openHours } from '@mooring/contract/shared/time-window';
import { isTimeZone } from '@mooring/contract/shared/time-zone';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { windowsOf } from './blackouts.ts';
import type { Task } from './task.ts';

/** As a window is reckoned by whose terminal says no zone. */
export const zoneOf = (zone: string | null): string => (zone !== null && isTimeZone(zone) ? zone : 'UTC');

/** When a terminal may install next, by its own clock; never before its release ends, where there is no moment. */
export interface Opens {
  readonly at: Date | null;
  readonly zone: string;
}

interface Between {
  readonly from: Date;
  /** Where nothing ends it, a window that opens for two years. */
  readonly to: Date | null;
}

/** Nothing where it may install at once. */
export function opensNext(window: Window | null, timeZone: string | null, { from, to }: Between): Opens | undefined {
  if (window === null) return undefined;
  const zone = zoneOf(timeZone);
  const [next] = openHours(window, from, zone, 1);
  if (next && next.from <= from) return undefined;
  return { at: next && (to === null || next.from < to) ? next.from : null, zone };
}

/** Terminals of one organisation and one time zone. */
interface Place {
  readonly dept_path: string;
  readonly time_zone: string | null;
  readonly n: number;
}

/** Whether anything but a window may close terminals. */
async function hasDates(db: Db, from: Date): Promise<boolean> {
  const { rows } = await sql`select from release_blackout where to_day >= ${from.toISOString().slice(0, 10)}::date - 1 limit 1`.execute(db);
  return rows.length > 0;
}

const NAMED = 3;
async function namesOf(db: Db, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const { rows } = await sql<{ dept_path: string; name: string }>`
    select dept_path, name from org_dept where dept_path = any(${paths}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.dept_path, row.name]));
}

interface Asked {
  readonly window: Window | null;
  readonly life: Between;
}
/** When terminals may install next, each by the dates of its organisation and by its clock: what is the same for many is reckoned once. */
async function openingsAt(db: Db, places: readonly Place[], { window, life }: Asked): Promise<Openings> {
  const windowOf = await windowsOf(
    db,
    places.map((one) => one.dept_path),
    life.from,
  );
  const known = new Map<string, Opens | undefined>();
  const found = { now: 0, never: 0 };
  const days = new Map<Day, Map<string, number>>();
  for (const { dept_path, time_zone, n } of places) {
    const own = windowOf(dept_path, window);
    const key = `${time_zone} ${JSON.stringify(own)}`;
    if (!known.has(key)) known.set(key, opensNext(own, time_zone, life));
    const opens = known.get(key);
    if (opens === undefined) found.now += n;
    else if (opens.at === null) found.never += n;
    else {
      const day = dayOf(opens.at, opens.zone);
      const depts = days.get(day) ?? new Map<string, number>();
      days.set(day, depts.set(dept_path, (depts.get(dept_path) ?? 0) + n));
    }
  }
  const listed = [...days]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([day, depts]) => ({ day, depts, first: mostOf(depts) }));
  const names = await namesOf(
    db,
    listed.flatMap((one) => one.first),
  );
  return {
    ...found,
    from: window?.from ?? '00:00',
    days: listed.map(({ day, depts, first }) => ({
      day,
      count: [...depts.values()].reduce((sum, n) => sum + n, 0),
      depts: first.flatMap((path) => names.get(path) ?? []),
      moreDepts: depts.size - first.length,
    })),
  };
}
const mostOf = (depts: ReadonlyMap<string, number>): string[] =>
  [...depts]
    .toSorted(([path, n], [other, m]) => m - n || path.localeCompare(other))
    .slice(0, NAMED)
    .map(([path]) => path);

/** Of devices (as `d`), which are so many. */
export async function openingsOf(db: Db, devices: RawBuilder<unknown>, count: number, asked: Asked): Promise<Openings> {
  if (asked.window === null && !(await hasDates(db, asked.life.from))) return { now: count, never: 0, from: '00:00', days: [] };
  const { rows } = await sql<Place>`select d.dept_path, d.time_zone, count(*)::int as n from ${devices} group by 1, 2`.execute(db);
  return openingsAt(db, rows, asked);
}

/** Of a release's terminals that aren't through, from the counters: any terminal of an organisation tells the clock there. */
export async function openingsLeft(db: Db, task: Task, now: Date): Promise<Openings> {
  const from = task.start_at !== null && task.start_at > now ? task.start_at : now;
  const { window } = task.delivery;
  const zone =
    window === null && !(await hasDates(db, from))
      ? sql`null`
      : sql`(select d.time_zone from device d where d.dept_path = l.dept_path limit 1)`;
  const { rows } = await sql<Place>`
    select l.dept_path, ${zone}::text as time_zone, l.n from (
      select dept_path, sum(n)::int as n from rollout_tally where task_id = ${task.id} and state in ('1', '2', '8') group by 1 having sum(n) > 0
    ) l`.execute(db);
  return openingsAt(db, rows, { window, life: { from, to: task.expires_at } });
}
