import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { backgroundJobMachine } from './background-job-state-machine.ts';

/** One long work of a person. `downloaded` is the specification's task-centre file status 0 or 1. */
export const Work = z.object({
  id: Id,
  kind: z.string(),
  name: z.string(),
  state: stateOf(backgroundJobMachine),
  total: z.int().nullable(),
  done: z.int(),
  failed: z.int(),
  failures: z.array(z.object({ id: Id, label: z.string(), fault: z.string() })),
  reason: z.string().nullable(),
  fileName: z.string().nullable(),
  fileSize: z.number().nullable(),
  downloaded: z.enum(['0', '1']),
  createdAt: Moment,
  startedAt: Moment.nullable(),
  endedAt: Moment.nullable(),
  expiresAt: Moment.nullable(),
  ...allowedActions,
});
export type Work = z.infer<typeof Work>;
const can = 'file:work:page||file:managerWork:page';

/** The task centre: each person's own long works. */
export const backgroundJobKinds = ['export', 'import', 'bulk', 'dept', 'verify'] as const;

export const backgroundJobCalls = calls('file', '/file/work', {
  page: call({
    can,
    reads: true,
    input: pageQuery({ state: filter.exact(stateOf(backgroundJobMachine)), kind: filter.exact(z.string().max(32)), name: filter.text() }, [
      '-createdAt',
    ]),
    output: pageOf(Work),
  }),
  detail: call({ can: 'session', reads: true, input: ById, output: Work }),
  cancel: transition(backgroundJobMachine, 'cancel', can, Work),
  retry: transition(backgroundJobMachine, 'retry', can, Work),
  delete: call({ can, input: ById, faults: ['WORK_RUNNING'] }),
  /** A short-lived address of its file; marks it as downloaded. */
  download: call({
    can,
    input: ById,
    output: z.object({ url: z.string(), fileName: z.string() }),
    faults: ['WORK_NO_FILE'],
  }),
});
