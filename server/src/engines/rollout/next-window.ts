import type { Window } from '@mooring/contract/device/messages';
import { openHours } from '@mooring/contract/shared/time-window';
import { isTimeZone } from '@mooring/contract/shared/time-zone';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { windowsOf } from './blackouts.ts';

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

/** Of devices (as `d`), those whose window never opens within a release's life; by the dates of their organisations, each reckoned once. */
export async function countClosed(db: Db, devices: RawBuilder<unknown>, window: Window | null, life: Between): Promise<number> {
  if (window === null) {
    const { rows } =
      await sql`select from release_blackout where to_day >= ${life.from.toISOString().slice(0, 10)}::date - 1 limit 1`.execute(db);
    if (rows.length === 0) return 0;
  }
  const { rows } = await sql<{ dept_path: string; time_zone: string | null; n: number }>`
    select d.dept_path, d.time_zone, count(*)::int as n from ${devices} group by 1, 2`.execute(db);
  const windowOf = await windowsOf(
    db,
    rows.map((row) => row.dept_path),
    life.from,
  );
  const known = new Map<string, boolean>();
  let closed = 0;
  for (const { dept_path, time_zone, n } of rows) {
    const own = windowOf(dept_path, window);
    const key = `${time_zone} ${JSON.stringify(own)}`;
    const isClosed = known.get(key) ?? opensNext(own, time_zone, life)?.at === null;
    known.set(key, isClosed);
    if (isClosed) closed += n;
  }
  return closed;
}
