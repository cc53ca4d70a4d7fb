import { passedOverCalls } from '../engines/rollout/passed-over.ts';
import { releasesOfDevice } from '../engines/rollout/task-calls.ts';
import { calls } from '../kit/call.ts';

/** What was released to a terminal, of every kind, and what passed it over. */
export const deviceReleaseCalls = calls('device', '/device/releases', { list: releasesOfDevice(), ...passedOverCalls });
