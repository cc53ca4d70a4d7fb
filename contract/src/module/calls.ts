import { PartName } from '../device/manifest.ts';
import { differenceCallsOf } from '../engines/rollout/difference-calls.ts';
import { packageCallsOf } from '../engines/rollout/package-calls.ts';
import { packageTaskCalls, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { moduleKind } from './kind.ts';

/** Terminals report their modules by these names. */
export const modulePackageCalls = packageCallsOf(moduleKind, { name: PartName });
export const moduleTaskCalls = packageTaskCalls(moduleKind);
export const moduleDeviceCalls = taskDeviceCallsOf(moduleKind);
export const moduleDifferenceCalls = differenceCallsOf(moduleKind);
