import type { schedCalls } from '@mooring/contract/job/calls';
import { periodOf, scheduleOf } from '@mooring/contract/job/schedule';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';
import { jobById, type recurring } from './jobs.queries.ts';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;

interface Span {
  readonly at: number;
  readonly runs: number;
  readonly failed: number;
  readonly slowest: number | null;
}

/** What runs two weeks apart is shown by days, anything else by half hours of the last day; a span without a run stands there too. */
export const chartRuns =
  (jobs: () => ReturnType<typeof recurring>): Handler<typeof schedCalls.chart> =>
  async (ctx, { jobId }) => {
    const { row, job } = await jobById(ctx, jobs(), jobId);
    const isRare = periodOf(scheduleOf(row.cron ?? job.every)) >= DAY_MS;
    const [step, count] = isRare ? [DAY_MS, 14] : [HALF_HOUR_MS, 48];
    const first = (Math.floor(ctx.now().getTime() / step) - count + 1) * step;
    const { rows } = await sql<Span>`
      select floor((extract(epoch from started_at) * 1000 - ${first}::float8) / ${step}::float8)::int as at, count(*)::int as runs,
        (count(*) filter (where outcome in ('failed', 'interrupted')))::int as failed,
        max(extract(epoch from ended_at - started_at) * 1000)::float8 as slowest
      from job_run where name = ${row.name} and started_at >= ${new Date(first)} group by 1`.execute(ctx.db);
    const bySpan = new Map(rows.map((one) => [one.at, one]));
    return {
      step: isRare ? 'day' : 'halfHour',
      spans: Array.from({ length: count }, (_, at) => {
        const { runs = 0, failed = 0, slowest = null } = bySpan.get(at) ?? {};
        return { from: new Date(first + at * step), runs, failed, slowestMs: slowest };
      }),
    };
  };
