import { failureReasons } from '@mooring/contract/device/messages';
import type { VersionKind } from '@mooring/contract/stats/compliance-calls';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** A department with all below it, and one product or all. */
export interface Where {
  readonly path: string;
  readonly productId?: number | undefined;
}
export interface Figure {
  readonly measure: string;
  readonly productId: number;
  readonly detail: string;
  readonly n: number;
}

const known = [...failureReasons, 'timeout', 'other'];
/** A terminal may say any reason; a sum is kept of those that the protocol knows. */
export const detailOf = sql`case when measure = 'failed' and detail <> all(${known}::text[]) then 'other' else detail end`;

/** The versions of a day that aren't kept each by itself. No terminal reports it: it is no version. */
export const ALL_OTHERS = '';

export const ofProduct = (productId: number | undefined) => (productId === undefined ? sql`` : sql`and product_id = ${productId}`);
/** Differences that no sum has yet. */
export const waiting = ({ path, productId }: Where) =>
  sql`stats_change where dept_path >= ${path} and dept_path < ${`${path}~`} ${ofProduct(productId)}`;

/** What holds now: the sums of the department, and what isn't added up yet below it. */
export async function figuresNow(db: Db, where: Where, measures: readonly string[]): Promise<Figure[]> {
  const rows = await sql<Figure>`
    select measure, product_id as "productId", detail, sum(n)::bigint as n from (
      select measure, product_id, detail, n from stats_now where dept_path = ${where.path} and measure = any(${measures}::text[]) ${ofProduct(where.productId)}
      union all
      select measure, product_id, detail, n from ${waiting(where)} and at is null and measure = any(${measures}::text[])
    ) f group by 1, 2, 3 having sum(n) <> 0`.execute(db);
  return rows.rows;
}

/** Versions in use with how many terminals run them. */
export const versionsIn = async (db: Db, where: Where) =>
  (await figuresNow(db, where, ['firmware'])).map(({ productId, detail, n }) => ({ productId, version: detail, count: n }));

/** What parts are in a detail: the name of a module, the package name of an app. */
const APART = '\u001f';
export const partOf = sql<string>`split_part(f.detail, chr(31), 1)`;
export const hasParts = (kind: VersionKind): boolean => kind === 'module' || kind === 'app';

export interface Running {
  readonly productId: number;
  readonly detail: string;
  readonly count: number;
  readonly part: string;
  /** As people call it, and as releases tell it from others. */
  readonly version: string;
  readonly runs: string;
}
/** A detail of the figures in its parts. */
export function versionIn(kind: VersionKind, detail: string): Pick<Running, 'part' | 'version' | 'runs'> {
  if (!hasParts(kind)) return { part: '', version: detail, runs: detail };
  const [part = '', runs = '', name = ''] = detail.split(APART);
  return { part, version: name || runs, runs };
}

/** The same of any kind. */
export const runningIn = async (db: Db, where: Where, kind: VersionKind): Promise<readonly Running[]> =>
  (await figuresNow(db, where, [kind])).map(({ productId, detail, n }) => ({ productId, detail, count: n, ...versionIn(kind, detail) }));

interface Past {
  readonly measure: string;
  readonly detail: string;
  readonly n: number;
}
interface Asked {
  readonly measures: readonly string[];
  readonly from: Date | string;
  /** Not included. */
  readonly to: Date | string;
}

/** What happened hour by hour, of the last days. */
export async function figuresByHour(db: Db, where: Where, { measures, from, to }: Asked): Promise<(Past & { at: Date })[]> {
  const rows = await sql<Past & { at: Date }>`
    select measure, detail, at, sum(n)::bigint as n from (
      select measure, detail, at, n from stats_hour where dept_path = ${where.path} and measure = any(${measures}::text[]) and at >= ${from} and at < ${to} ${ofProduct(where.productId)}
      union all
      select measure, ${detailOf}, at, n from ${waiting(where)} and measure = any(${measures}::text[]) and at >= ${from} and at < ${to}
    ) f group by 1, 2, 3 having sum(n) <> 0 order by at`.execute(db);
  return rows.rows;
}

/** What happened by day, or by month: `day` is its first day. Days are those of UTC; they are named once their products are summed. */
export async function figuresByDay(db: Db, where: Where, asked: Asked, step: 'day' | 'month' = 'day'): Promise<(Past & { day: string })[]> {
  const { measures, from, to } = asked;
  const rows = await sql<Past & { day: string }>`
    select measure, detail, to_char(date_trunc(${step}, day), 'YYYY-MM-DD') as day, sum(n)::bigint as n from (
      select measure, detail, day, sum(n) as n from stats_day where dept_path = ${where.path} and measure = any(${measures}::text[]) and day >= ${from}::date and day < ${to}::date ${ofProduct(where.productId)}
      group by 1, 2, 3
      union all
      select measure, ${detailOf}, (at at time zone 'UTC')::date, n from ${waiting(where)} and measure = any(${measures}::text[])
        and at >= ${from}::date at time zone 'UTC' and at < ${to}::date at time zone 'UTC'
    ) f group by 1, 2, 3 having sum(n) <> 0 order by 3`.execute(db);
  return rows.rows;
}

/** How often there was a sample, by day or month. */
export async function samplesByDay(db: Db, from: string, to: string, step: 'day' | 'month' = 'day'): Promise<Map<string, number>> {
  const rows = await sql<{ day: string; n: number }>`
    select to_char(date_trunc(${step}, at at time zone 'UTC'), 'YYYY-MM-DD') as day, count(*)::int as n from stats_sample
    where at >= ${from}::date at time zone 'UTC' and at < ${to}::date at time zone 'UTC' group by 1`.execute(db);
  return new Map(rows.rows.map((row) => [row.day, row.n]));
}

export async function sampledHours(db: Db, from: Date, to: Date): Promise<Set<number>> {
  const rows = await sql<{ at: Date }>`select at from stats_sample where at >= ${from} and at < ${to}`.execute(db);
  return new Set(rows.rows.map((row) => row.at.getTime()));
}
