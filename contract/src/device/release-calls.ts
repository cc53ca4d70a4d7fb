import { z } from 'zod';
import { Drift } from '../engines/rollout/drift-calls.ts';
import { passedOverCalls } from '../engines/rollout/passed-over.ts';
import { releasesOfDevice } from '../engines/rollout/task-calls.ts';
import { call, calls } from '../kit/call.ts';
import { ref } from '../kit/schema.ts';

/** What was released to a terminal, of every kind, what it has of that no more, and what passed it over. */
export const deviceReleaseCalls = calls('device', '/device/releases', {
  list: releasesOfDevice(),
  drifts: call({
    can: 'device:device:page||device:all:page',
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    output: z.array(Drift),
  }),
  ...passedOverCalls,
});
