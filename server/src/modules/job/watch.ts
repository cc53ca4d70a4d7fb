import type { TextKey } from '@mooring/contract/texts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { deleteOld } from '../../platform/db/delete-old.ts';
import { job } from '../../platform/module.ts';
import { notify } from '../message/api.ts';
import { type JobRow, overdueSince, type recurring, selectJobs } from './jobs.queries.ts';

type Jobs = () => ReturnType<typeof recurring>;
const WATCH = 'job:watch';
const GAP_MS = 15 * 60_000;
const KEEP_DAYS = 14;

/** One that ends its own server is never there to say that it failed. */
const wrong = ['failed', 'interrupted'];

/** What a job is called: its key of the texts. */
export const nameKey = (name: string): TextKey => `job.name.${name.replaceAll(':', '.')}` as TextKey;

const tell = (db: Db, name: 'jobFailed' | 'jobMissing', of: JobRow, params: Record<string, string>) =>
  notify(db, {
    name,
    params: { jobKey: nameKey(of.name), ...params },
    to: { above: '1.', can: 'job:schedule:page' },
    deptPath: '1.',
    priority: '1',
    // Its runs open beside the list.
    link: `/sched/job/page?j.row=${of.id}`,
    channels: ['centre', 'popup'],
    alarm: true,
  });

interface Failure {
  readonly id: number;
  readonly name: string;
  readonly outcome: string;
  readonly error: string | null;
  /** What became of the run before it. */
  readonly before: string | null;
}
/** Of each job whatever failed since people were told last, also where a later run was well. */
async function failures(db: Db): Promise<Map<string, Failure[]>> {
  const { rows } = await sql<Failure>`
    select r.id, r.name, r.outcome, r.error,
      (select b.outcome from job_run b where b.name = r.name and b.id < r.id and b.outcome <> 'running' order by b.id desc limit 1) as before
    from job_schedule j join job_run r on r.name = j.name and r.id > j.told_run
    where r.outcome = any(${wrong}::text[]) order by r.id`.execute(db);
  return Map.groupBy(rows, ({ name }) => name);
}

/** Each failure of a row of them says the same. */
async function tellFailure(db: Db, row: JobRow, runs: readonly Failure[]): Promise<void> {
  const last = runs.at(-1);
  if (!last) return;
  await db.updateTable('job_schedule').set({ told_run: last.id }).where('id', '=', row.id).execute();
  const first = runs.find((one) => one.before === null || !wrong.includes(one.before));
  if (first) await tell(db, 'jobFailed', row, first.outcome === 'failed' ? { error: first.error ?? '–' } : { errorKey: 'job.interrupted' });
}

async function tellMissing(db: Db, row: JobRow, since: Date | undefined, now: Date): Promise<void> {
  if ((since === undefined) === (row.told_overdue_at === null)) return;
  await db
    .updateTable('job_schedule')
    .set({ told_overdue_at: since ? now : null })
    .where('id', '=', row.id)
    .execute();
  if (since) await tell(db, 'jobMissing', row, {});
}

async function watch(ctx: Ctx, jobs: Jobs): Promise<void> {
  await ctx.unscoped(async (db) => {
    const now = ctx.now();
    const [, before] = (
      await sql<{ at: Date }>`select started_at as at from job_run where name = ${WATCH} order by id desc limit 2`.execute(db)
    ).rows;
    // The server was down, or was never up for long enough to watch: what it missed then came to nobody's ears, and is no fault of the job.
    if (!before || now.getTime() - before.at.getTime() > GAP_MS) await db.updateTable('job_schedule').set({ watched_from: now }).execute();
    const failed = await failures(db);
    for (const row of await selectJobs(db)) {
      const of = jobs().get(row.name);
      if (!of) continue;
      await tellFailure(db, row, failed.get(row.name) ?? []);
      await tellMissing(db, row, overdueSince(row, of, now), now);
    }
  });
}

/**
 * Whoever looks after the installation hears of a job that failed or didn't come. Running again tells nothing twice. Fixed: a gap in its own runs
 * tells it that the server was down.
 */
export const watchJob = (jobs: Jobs) =>
  job({ name: WATCH, fixed: true, payload: z.object({}), every: '*/5 * * * *', run: (ctx) => watch(ctx, jobs) });

/** Nightly: runs of two weeks ago and older. Running twice deletes nothing more. */
export const forgetRuns = job({
  name: 'job:forget-runs',
  fixed: true,
  payload: z.object({}),
  every: '57 3 * * *',
  run: (ctx) =>
    deleteOld(
      ctx,
      'job_run',
      sql`started_at < ${ctx.now()}::timestamptz - make_interval(days => ${KEEP_DAYS})
        and exists (select from job_run l where l.name = job_run.name and l.id > job_run.id)`,
    ),
});
