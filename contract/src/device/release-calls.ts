import { releasesOfDevice } from '../engines/rollout/task-calls.ts';
import { calls } from '../kit/call.ts';

/** What was released to a terminal, of every kind. */
export const deviceReleaseCalls = calls('device', '/device/releases', { list: releasesOfDevice() });
