import { type JobRun, jobCalls, type ScheduledJob, schedCalls } from '@mooring/contract/job/calls';
import type { Schedule } from '@mooring/contract/job/schedule';
import { scheduledJobMachine } from '@mooring/contract/job/state-machines';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, exact, range, valuesOf } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import { type Handler, handlers, type Module } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { cellOf } from '../../platform/work/cell.ts';
import { listExporter, momentCell, startExport } from '../../platform/work/exporter.ts';
import { changeSchedule, moveJob, runJob, showJob } from './change-job.ts';
import { chartRuns } from './chart-runs.ts';
import { recurring, runOf, selectJobs, shownJob } from './jobs.queries.ts';
import { forgetRuns, nameKey, watchJob } from './watch.ts';

type Jobs = () => ReturnType<typeof recurring>;

/** There are as many as the product has: one page holds them all. Looked for by what they are called in the reader's language. */
const pageJobs =
  (jobs: Jobs): Handler<typeof jobCalls.page> =>
  async (ctx, { criteria, page: wanted }) => {
    const rows = await selectJobs(ctx.db, all(exact('j.state', criteria.status), exact('r.outcome', criteria.outcome)));
    const shown = rows.flatMap((row) => {
      const job = jobs().get(row.name);
      return job ? [shownJob(ctx, job, row)] : [];
    });
    const named = (one: { name: string }) => t(ctx.lang, nameKey(one.name));
    const wantedText = criteria.text?.toLocaleLowerCase(ctx.lang) ?? '';
    const isWanted = (overdue: boolean) => valuesOf(criteria.overdue)?.includes(overdue) ?? true;
    const found = shown.filter((one) => isWanted(one.overdue) && named(one).toLocaleLowerCase(ctx.lang).includes(wantedText));
    found.sort((a, b) => named(a).localeCompare(named(b), ctx.lang));
    if (wanted.order === 'desc') found.reverse();
    const from = (wanted.number - 1) * wanted.size;
    const content = found.slice(from, from + wanted.size);
    return { content, total: found.length, capped: false, number: wanted.number, size: wanted.size, next: null, prev: null };
  };

const pageRuns: Handler<typeof schedCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const query = ctx.db
    .selectFrom('job_run as r')
    .innerJoin('job_schedule as j', 'j.name', 'r.name')
    .selectAll('r')
    .where(
      all(
        exact('j.id', criteria.jobId),
        exact('r.outcome', criteria.outcome),
        exact('r.mode', criteria.mode),
        range('r.started_at', criteria.startedAt),
      ),
    );
  return page(ctx.db, query, { page: wanted, sorts: { startedAt: 'r.started_at' }, id: 'r.id', map: runOf });
};

const runExporter = listExporter<z.input<typeof JobRun>>(schedCalls.export, {
  title: 'job.runs',
  sort: 'startedAt',
  page: pageRuns,
  columns: {
    startedAt: { title: 'job.startedAt', cell: (row) => momentCell(row.startedAt) },
    job: { title: 'job.name', cell: (row, lang) => t(lang, nameKey(row.job)) },
    outcome: { title: 'job.outcome', cell: (row, lang) => t(lang, `job.outcome.${row.outcome}`) },
    tookMs: { title: 'job.took', cell: (row) => row.tookMs },
    mode: { title: 'job.mode', cell: (row, lang) => t(lang, `job.mode.${row.mode}`) },
    by: { title: 'job.by', cell: (row) => row.by },
    error: { title: 'job.error', cell: (row) => row.error },
  },
});

/** In words, as the list has it. */
function inWords(schedule: z.output<typeof Schedule>, lang: string): string {
  if (schedule.every === 'minutes') return t(lang, 'job.schedule.minutes', { count: schedule.count });
  if (schedule.every === 'hour') return t(lang, 'job.schedule.hour', { minute: String(schedule.minute).padStart(2, '0') });
  if (schedule.every === 'day') return t(lang, 'job.schedule.day', { at: schedule.at });
  const weekday = new Intl.DateTimeFormat(lang, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 7 + schedule.weekday));
  return t(lang, 'job.schedule.week', { weekday, at: schedule.at });
}

const jobExporter = (jobs: Jobs) =>
  listExporter<z.input<typeof ScheduledJob>>(jobCalls.export, {
    title: 'job.title',
    sort: 'name',
    page: pageJobs(jobs),
    columns: {
      name: { title: 'job.name', cell: (row, lang) => t(lang, nameKey(row.name)) },
      status: { title: 'job.status', cell: (row, lang) => cellOf(row.status, scheduledJobMachine, lang) },
      schedule: { title: 'job.schedule', cell: (row, lang) => inWords(row.schedule, lang) },
      lastRun: { title: 'job.lastRun', cell: (row) => momentCell(row.lastRun?.startedAt) },
      outcome: { title: 'job.outcome', cell: (row, lang) => cellOf(row.outcome, 'job.outcome.', lang) },
      tookMs: { title: 'job.took', cell: (row) => row.tookMs },
      nextAt: { title: 'job.nextAt', cell: (row) => momentCell(row.nextAt) },
      overdue: { title: 'job.overdue', cell: (row, lang) => cellOf(row.overdue, undefined, lang) },
    },
  });

/** A row for each recurring job of this version; what an older one had goes. */
const seedJobs = (jobs: Jobs) => async (db: Db) => {
  const names = [...jobs().keys()];
  await sql`insert into job_schedule (name) select unnest(${names}::text[]) on conflict (name) do nothing`.execute(db);
  await sql`delete from job_schedule where name <> all(${names}::text[])`.execute(db);
};

/** Recurring jobs of the server: when they run, what became of it, and a hand on them. */
export function makeJobs(modules: () => readonly Module[]): Module {
  const jobs: Jobs = () => recurring(modules().flatMap((one) => one.jobs ?? []));
  const exporter = jobExporter(jobs);
  return {
    name: 'job',
    seed: seedJobs(jobs),
    exporters: [exporter, runExporter],
    refs: { scheduledJob: 'job_schedule' },
    jobs: [watchJob(jobs), forgetRuns],
    routes: [
      ...handlers(jobCalls, {
        page: pageJobs(jobs),
        export: (ctx: Ctx, input) => startExport(ctx, exporter, input),
        detail: showJob(jobs),
        pause: moveJob(jobs, 'pause'),
        resume: moveJob(jobs, 'resume'),
        run: runJob(jobs),
        update: changeSchedule(jobs),
      }),
      ...handlers(schedCalls, {
        chart: chartRuns(jobs),
        page: pageRuns,
        export: (ctx: Ctx, input) => startExport(ctx, runExporter, input),
      }),
    ],
  };
}
