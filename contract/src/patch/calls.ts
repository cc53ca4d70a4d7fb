import { differenceCallsOf } from '../engines/rollout/difference-calls.ts';
import { packageCallsOf } from '../engines/rollout/package-calls.ts';
import { packagePreTaskCalls, packageTaskCalls, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { patchKind } from './kind.ts';

export const patchPackageCalls = packageCallsOf(patchKind, {});
export const patchTaskCalls = packageTaskCalls(patchKind);
export const patchPreTaskCalls = packagePreTaskCalls(patchKind);
export const patchDeviceCalls = taskDeviceCallsOf(patchKind);
export const patchDifferenceCalls = differenceCallsOf(patchKind);
