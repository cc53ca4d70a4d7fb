import type { jobCalls } from '@mooring/contract/job/calls';
import { cronOf, isWithin, scheduleOf } from '@mooring/contract/job/schedule';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Handler } from '../../platform/module.ts';
import { isFixed, jobById, jobRows, type recurring, shownJob, usualCron } from './jobs.queries.ts';

type Jobs = () => ReturnType<typeof recurring>;

const GROUP = '/sys/job';
const MANUAL = 'manual';
/** A run that is older has lost the word of its end. */
const LONGEST_MS = 6 * 3_600_000;

async function shown(ctx: Ctx, jobs: Jobs, id: number) {
  const { row, job } = await jobById(ctx, jobs(), id);
  return shownJob(ctx, job, row);
}
export const showJob =
  (jobs: Jobs): Handler<typeof jobCalls.detail> =>
  (ctx, { id }) =>
    shown(ctx, jobs, id);

export const moveJob =
  (jobs: Jobs, event: 'pause' | 'resume'): Handler<typeof jobCalls.pause> =>
  async (ctx, { id }) => {
    const { row, job } = await jobById(ctx, jobs(), id);
    if (event === 'pause' && isFixed(job)) throw new Fault('JOB_FIXED');
    ctx.audit({ target: `job ${row.name}` });
    // What it missed while it was paused isn't missing.
    const moved = await move(ctx.db, jobRows, event, [id], { actorId: ctx.actor.userId, set: { watched_from: ctx.now() } });
    if (moved.length === 0) throw fault('OVERTAKEN');
    await ctx.invalidate(ctx.db, GROUP, '1.');
    return shown(ctx, jobs, id);
  };

/** At once, beside its schedule. It runs once, however often it is asked for before that. */
export const runJob =
  (jobs: Jobs): Handler<typeof jobCalls.run> =>
  async (ctx, { id }) => {
    const { row } = await jobById(ctx, jobs(), id);
    if (row.outcome === 'running' && row.started_at && ctx.now().getTime() - row.started_at.getTime() < LONGEST_MS)
      throw new Fault('JOB_RUNS');
    ctx.audit({ target: `job ${row.name}` });
    await enqueue(ctx.db, row.name, { payload: {}, asked: ctx.actor.userName }, { key: `${MANUAL}:${row.name}`, maxAttempts: 1 });
    return shown(ctx, jobs, id);
  };

export const changeSchedule =
  (jobs: Jobs): Handler<typeof jobCalls.update> =>
  async (ctx, { id, schedule }) => {
    const { row, job } = await jobById(ctx, jobs(), id);
    if (job.fixed) throw new Fault('JOB_FIXED');
    if (!isWithin(scheduleOf(job.every), schedule)) throw new Fault('JOB_SCHEDULE', { fields: { schedule: 'fault.JOB_SCHEDULE' } });
    const cron = cronOf(schedule);
    ctx.audit({ target: `job ${row.name}`, before: { cron: row.cron ?? usualCron(job) }, after: { cron } });
    await ctx.db
      .updateTable('job_schedule')
      .set({ cron: cron === usualCron(job) ? null : cron, watched_from: ctx.now() })
      .where('id', '=', id)
      .execute();
    await ctx.invalidate(ctx.db, GROUP, '1.');
    return shown(ctx, jobs, id);
  };
