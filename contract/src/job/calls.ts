import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, ref, revises, revision } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { Schedule } from './schedule.ts';
import { scheduledJobMachine } from './state-machines.ts';

/** Run mode of specification section 4: 0 by hand, 1 by itself. */
export const RunMode = z.enum(['0', '1']);
/** `interrupted`: its server ended before it did. */
export const runOutcomes = ['running', 'done', 'failed', 'interrupted'] as const;
export const RunOutcome = z.enum(runOutcomes);

export const JobRun = z.object({
  id: Id,
  /** Its job's name, as texts have it. */
  job: z.string(),
  mode: RunMode,
  startedAt: Moment,
  endedAt: Moment.nullable(),
  tookMs: z.int().nullable(),
  outcome: RunOutcome,
  error: z.string().nullable(),
  /** Who started it by hand. */
  by: z.string().nullable(),
});

export const ScheduledJob = z.object({
  id: Id,
  name: z.string(),
  status: stateOf(scheduledJobMachine),
  schedule: Schedule,
  /** What it is set to in a new installation. */
  usual: Schedule,
  lastRun: JobRun.nullable(),
  /** Of the last run. */
  outcome: RunOutcome.nullable(),
  tookMs: z.int().nullable(),
  nextAt: Moment.nullable(),
  /** It should have run since. */
  overdue: z.boolean(),
  ...revision,
  ...allowedActions,
});

const jobFilters = {
  text: filter.text(),
  status: filter.exact(stateOf(scheduledJobMachine)),
  outcome: filter.exact(RunOutcome),
  overdue: filter.exact(z.boolean()),
};
const see = 'job:schedule:page';
const can = 'job:schedule:update';
/** Recurring jobs of the server. They are of the whole installation: its administrators alone see and change them. */
export const jobCalls = calls('job', '/sys/job', {
  page: call({
    can: see,
    reads: true,
    input: pageQuery(jobFilters, ['name']),
    output: pageOf(ScheduledJob),
  }),
  export: exporting(see, criteriaOf(jobFilters)),
  detail: call({ can: see, reads: true, input: ById, output: ScheduledJob }),
  pause: transition(scheduledJobMachine, 'pause', can, ScheduledJob, { faults: ['JOB_FIXED'], stepUp: true }),
  resume: transition(scheduledJobMachine, 'resume', can, ScheduledJob, { stepUp: true }),
  run: call({ can, stepUp: true, input: ById, output: ScheduledJob, faults: ['JOB_RUNS'] }),
  update: call({
    can,
    stepUp: true,
    input: z.strictObject({ id: Id, ...revises('scheduledJob'), schedule: Schedule }),
    output: ScheduledJob,
    faults: ['JOB_FIXED', 'JOB_SCHEDULE'],
  }),
});

const runFilters = {
  jobId: filter.exact(Id),
  outcome: filter.exact(RunOutcome),
  mode: filter.exact(RunMode),
  startedAt: filter.moment(),
};
/** What became of their runs; kept for two weeks. */
export const schedCalls = calls('job', '/sys/sched', {
  page: call({ can: see, reads: true, input: pageQuery(runFilters, ['-startedAt']), output: pageOf(JobRun) }),
  /** The runs of one job over time: how long the slowest of each span took, and how many failed. */
  chart: call({
    can: see,
    reads: true,
    input: z.strictObject({ jobId: ref('scheduledJob') }),
    output: z.object({
      step: z.enum(['halfHour', 'day']),
      spans: z.array(z.object({ from: Moment, runs: z.int(), failed: z.int(), slowestMs: z.number().nullable() })),
    }),
  }),
  export: exporting(see, criteriaOf(runFilters)),
});
