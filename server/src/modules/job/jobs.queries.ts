import type { JobRun, RunOutcome, ScheduledJob } from '@mooring/contract/job/calls';
import { jobCalls } from '@mooring/contract/job/calls';
import { cronOf, nextRun, periodOf, scheduleOf } from '@mooring/contract/job/schedule';
import { scheduledJobMachine } from '@mooring/contract/job/state-machines';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';
import type { Job } from '../../platform/module.ts';

export const jobRows = statefulTable('job_schedule', scheduledJobMachine);
/** How late a run may be before it is missing. */
const GRACE_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;

type Recurring = Job & { readonly every: string };
export const recurring = (jobs: readonly Job[]): ReadonlyMap<string, Recurring> =>
  new Map(jobs.filter((one): one is Recurring => one.every !== undefined).map((one) => [one.name, one]));

/** The clockwork of the server, and what the log's proof rests on, isn't stopped; what runs by minutes may run somewhat more seldom. */
export const isFixed = (job: Recurring): boolean => job.fixed === true || periodOf(scheduleOf(job.every)) < HOUR_MS;

export interface JobRow {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly cron: string | null;
  readonly revision: number;
  readonly watched_from: Date;
  readonly told_run: number;
  readonly told_overdue_at: Date | null;
  readonly run_id: number | null;
  readonly mode: string | null;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly by_name: string | null;
}

/** Jobs with their last run. */
export const selectJobs = (db: Db, condition = sql<boolean>`true`) =>
  sql<JobRow>`
    select j.*, r.id as run_id, r.mode, r.started_at, r.ended_at, r.outcome, r.error, r.by_name from job_schedule j
    left join lateral (select * from job_run where name = j.name order by id desc limit 1) r on true
    where ${condition} order by j.name`
    .execute(db)
    .then(({ rows }) => rows);

interface RunRow {
  readonly id: number;
  readonly name: string;
  readonly mode: string;
  readonly started_at: Date;
  readonly ended_at: Date | null;
  readonly outcome: string;
  readonly error: string | null;
  readonly by_name: string | null;
}
export const runOf = (row: RunRow): z.input<typeof JobRun> => ({
  id: row.id,
  job: row.name,
  mode: row.mode as '0' | '1',
  startedAt: row.started_at,
  endedAt: row.ended_at,
  tookMs: row.ended_at ? row.ended_at.getTime() - row.started_at.getTime() : null,
  outcome: row.outcome as z.input<typeof RunOutcome>,
  error: row.error,
  by: row.by_name,
});

/** Where the last run is so long ago that another must have come since: from when it is missing. */
export function overdueSince(row: JobRow, job: Recurring, now: Date): Date | undefined {
  if (row.state !== '1') return undefined;
  const last = Math.max(row.started_at?.getTime() ?? 0, row.watched_from.getTime());
  const due = nextRun(scheduleOf(row.cron ?? job.every), new Date(last));
  return due.getTime() + GRACE_MS < now.getTime() ? due : undefined;
}

export function shownJob(ctx: Ctx, job: Recurring, row: JobRow): z.input<typeof ScheduledJob> {
  const { id, name, state, revision, run_id: runId, mode, started_at: startedAt, outcome } = row;
  const schedule = scheduleOf(row.cron ?? job.every);
  const { pause, resume, run, update } = jobCalls;
  const last =
    runId === null || mode === null || startedAt === null || outcome === null
      ? null
      : runOf({ ...row, id: runId, mode, started_at: startedAt, outcome });
  const acts = allowedActions(ctx, { pause, resume, run, update }, { machine: scheduledJobMachine, state });
  return {
    id,
    name,
    status: state,
    schedule,
    usual: scheduleOf(job.every),
    lastRun: last,
    outcome: last?.outcome ?? null,
    tookMs: last?.tookMs ?? null,
    nextAt: state === '1' ? nextRun(schedule, ctx.now()) : null,
    overdue: overdueSince(row, job, ctx.now()) !== undefined,
    revision,
    ...allowing(acts.filter((act) => act === 'run' || act === 'resume' || !(act === 'update' ? job.fixed : isFixed(job)))),
  };
}

export async function jobById(ctx: Ctx, jobs: ReadonlyMap<string, Recurring>, id: number): Promise<{ row: JobRow; job: Recurring }> {
  const [row] = await selectJobs(ctx.db, sql<boolean>`j.id = ${id}`);
  const job = row && jobs.get(row.name);
  if (!row || !job) throw fault('NOT_FOUND');
  return { row, job };
}

export const usualCron = (job: Recurring): string => cronOf(scheduleOf(job.every));
