import { z } from 'zod';
import { call } from '../../kit/call.ts';
import { documented, Id, Moment, ref } from '../../kit/schema.ts';
import { stateOf } from '../../kit/state-machine.ts';
import { TaskResult } from './schemas.ts';
import { taskMachine } from './state-machines.ts';
import { Task } from './task-calls.ts';

/** So many days a release that has ended is named at a terminal that it passed over. */
export const ENDED_DAYS = 30;
/** So many releases are told about at once. */
export const PASSED_SHOWN = 10;

const { why } = TaskResult.shape;

/** Releases that a terminal isn't in, the newest first, each with why. */
export const PassedOver = z
  .object({
    releases: z.array(
      z.object({
        taskId: Id,
        kind: z.string(),
        taskName: z.string(),
        /** Part and version of a package; of a setting what is set says its content. */
        taskVersion: z.string(),
        taskState: stateOf(taskMachine),
        content: Task.shape.content,
        startedAt: Moment.nullable(),
        endedAt: Moment.nullable(),
        why,
      }),
    ),
    /** There are older ones: asked for by the last id as `before`. */
    more: z.boolean(),
  })
  .register(documented, { id: 'PassedOver' });

/** Without an id no such terminal is in reach; without a reason it is in it. */
export const WhyNot = z.object({ deviceId: Id.nullable(), isIn: z.boolean(), why: why.nullable() }).register(documented, { id: 'WhyNot' });

const can = 'device:device:page||device:all:page';
/** Of the kinds that the person may see. */
export const passedOverCalls = {
  passedOver: call({ can, reads: true, input: z.strictObject({ deviceId: ref('device'), before: Id.optional() }), output: PassedOver }),
  whyNot: call({
    can,
    reads: true,
    input: z.strictObject({ taskId: ref('task'), sn: z.string().trim().toUpperCase().min(4).max(32) }),
    output: WhyNot,
  }),
};
