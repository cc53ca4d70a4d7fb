import {
  failedResults,
  resultMachine,
  settledStates,
  succeededStates,
  type taskMachine,
} from '@mooring/contract/engines/rollout/state-machines';
import { isAllowed } from '@mooring/contract/kit/permission';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { wallCalls } from '@mooring/contract/stats/calls';
import type { RunningReleases, Span } from '@mooring/contract/stats/schemas';
import { sql } from 'kysely';
import { seenKinds } from '../../engines/rollout/seen-kinds.ts';
import type { Ctx } from '../../platform/context.ts';
import { figuresByHour, type Where } from './figures.ts';

const SHOWN = 6;
const ENDED = 10;
const HOUR = 3_600_000;
const CURVE_DAYS = 7;
const POINTS = 60;
/** A larger one is drawn by the hour: its minutes would be a row for each terminal. */
const BY_MINUTE = 50_000;
const underWay = ['running', 'paused', 'halted'] as const satisfies readonly (keyof typeof taskMachine.states)[];
const settled = codesOf(resultMachine, settledStates);
const succeeded = codesOf(resultMachine, succeededStates);

type Tally = Readonly<Record<string, number>>;
const sumOf = (tally: Tally, states: readonly string[]) => states.reduce((sum, state) => sum + (tally[state] ?? 0), 0);

interface Ended {
  readonly at: number;
  readonly good: boolean;
  readonly n: number;
}

async function endedOf(ctx: Ctx, where: Where, taskId: number, total: number): Promise<Ended[]> {
  const from = new Date(ctx.now().getTime() - CURVE_DAYS * 24 * HOUR);
  if (total <= BY_MINUTE) {
    const rows = await sql<{ at: Date; state: string; n: number }>`
      select at, state, sum(n)::int as n from rollout_minute
      where task_id = ${taskId} and at > ${from} and dept_path >= ${where.path} and dept_path < ${`${where.path}~`} group by at, state having sum(n) <> 0 order by at`.execute(
      ctx.db,
    );
    return rows.rows.map((row) => ({ at: row.at.getTime(), good: succeeded.includes(row.state), n: row.n }));
  }
  const hours = await figuresByHour(ctx.db, where, {
    measures: ['taskSucceeded', 'taskFailed'],
    from,
    to: new Date(ctx.now().getTime() + HOUR),
  });
  return hours
    .filter((one) => one.detail === String(taskId))
    .map((one) => ({ at: one.at.getTime(), good: one.measure === 'taskSucceeded', n: one.n }));
}

/** What had ended by then, at no more moments than a small picture can show. */
export function curveOf(ended: readonly Ended[], asked: number) {
  const first = ended[0]?.at;
  if (first === undefined) return [];
  // The database has a clock of its own, which may be ahead.
  const now = Math.max(asked, ended.at(-1)?.at ?? first);
  const step = Math.max(60_000, Math.ceil((now - first) / POINTS));
  const points: { at: string; succeeded: number; failed: number }[] = [{ at: new Date(first).toISOString(), succeeded: 0, failed: 0 }];
  let [good, bad, next] = [0, 0, 0];
  for (let at = first + step; at <= now + step; at += step) {
    for (let one = ended[next]; one && one.at < at; one = ended[++next]) {
      if (one.good) good += one.n;
      else bad += one.n;
    }
    points.push({ at: new Date(Math.min(at, now)).toISOString(), succeeded: Math.max(0, good), failed: Math.max(0, bad) });
  }
  return points;
}

interface Task {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly state: (typeof underWay)[number];
  readonly product_name: string | null;
  readonly version: string | null;
}

/** Kinds whose releases the person may see; a wall shows them all. */
const kindsOf = (ctx: Ctx): string[] =>
  isAllowed(ctx.actor.permissions, wallCalls.view.can) ? releaseKinds.map(({ kind }) => kind) : seenKinds(ctx);

const below = (path: string) => sql<boolean>`dept_path >= ${path} and dept_path < ${`${path}~`}`;

/** Tasks `t` of the product that reach terminals of the place, where one was chosen; in the whole scope also those that reach none yet. */
const ofPlace = (ctx: Ctx, { path, productId }: Where) => {
  const reaches = sql<boolean>`exists (select from rollout_tally where task_id = t.id and ${below(path)} group by state having sum(n) <> 0)`;
  return sql<boolean>`(${productId === undefined ? sql`true` : sql`t.product_id = ${productId}`} and ${path === ctx.scope.path ? sql`true` : reaches})`;
};

/** What has become of tasks on terminals of the place. */
async function talliesAt(ctx: Ctx, { path }: Where, ids: readonly number[]): Promise<ReadonlyMap<number, Tally>> {
  const { rows } = await sql<{ task_id: number; state: string; n: number }>`
    select task_id, state, sum(n)::bigint as n from rollout_tally
    where task_id = any(${ids}::bigint[]) and ${below(path)} group by 1, 2 having sum(n) <> 0`.execute(ctx.db);
  const byTask = Map.groupBy(rows, (row) => row.task_id);
  return new Map([...byTask].map(([id, of]) => [id, Object.fromEntries(of.map((one) => [one.state, one.n]))]));
}

/** Of the newest releases that ended, those that failed on terminals of the place. */
async function failing(ctx: Ctx, where: Where, days: Span | undefined): Promise<RunningReleases['failing']> {
  const newest = await ctx.db
    .selectFrom('rollout_task as t')
    .select(['id', 'kind', 'name'])
    .where(ofPlace(ctx, where))
    .where('kind', '=', sql<string>`any(${kindsOf(ctx)}::text[])`)
    .where('state', 'in', [...underWay, 'finished'])
    .where((eb) =>
      days === undefined
        ? sql<boolean>`true`
        : eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', new Date(ctx.now().getTime() - Number(days) * 24 * HOUR))]),
    )
    .orderBy('id', 'desc')
    .limit(ENDED)
    .execute();
  const tallies = await talliesAt(
    ctx,
    where,
    newest.map((one) => one.id),
  );
  return newest
    .map(({ id, kind, name }) => ({ taskId: id, kind, name, failed: sumOf(tallies.get(id) ?? {}, failedResults) }))
    .filter((one) => one.failed > 0);
}

/** Releases under way on terminals of the place, the newest first. */
export async function releasesOf(ctx: Ctx, where: Where, days?: Span): Promise<RunningReleases> {
  const found = await sql<Task & { all: number }>`
    select t.id, t.kind, t.name, t.state, p.name as product_name, f.version, count(*) over ()::int as all
    from rollout_task t left join product_product p on p.id = t.product_id left join rollout_package f on f.id = t.package_id
    where t.state = any(${underWay}::text[]) and t.kind = any(${kindsOf(ctx)}::text[]) and ${ofPlace(ctx, where)} order by t.id desc limit ${SHOWN}`.execute(
    ctx.db,
  );
  const tallies = await talliesAt(
    ctx,
    where,
    found.rows.map((one) => one.id),
  );
  const now = ctx.now().getTime();
  const list: RunningReleases['list'] = [];
  for (const { id, kind, name, state, product_name, version } of found.rows) {
    const tally: Tally = tallies.get(id) ?? {};
    const total = sumOf(tally, Object.keys(tally));
    const ended = await endedOf(ctx, where, id, total);
    list.push({
      taskId: id,
      kind,
      name,
      state,
      productName: product_name ?? '',
      version: version ?? '',
      total,
      succeeded: sumOf(tally, succeeded),
      failed: sumOf(tally, failedResults),
      settled: sumOf(tally, settled),
      perHour: Math.max(
        0,
        ended.reduce((sum, one) => sum + (one.at > now - HOUR ? one.n : 0), 0),
      ),
      curve: curveOf(ended, now),
    });
  }
  return { total: found.rows[0]?.all ?? 0, list, failing: await failing(ctx, where, days) };
}
