import { packagePreTaskCalls, packageTaskCalls, releasesOfDevice, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { calls } from '../kit/call.ts';
import { firmwareKind } from './kind.ts';

export const taskCalls = packageTaskCalls(firmwareKind);
export const preTaskCalls = packagePreTaskCalls(firmwareKind);
export const taskDeviceCalls = taskDeviceCallsOf(firmwareKind);
/** Firmware alone on a device's own page. */
export const deviceFirmwareCalls = calls('firmware', '/fota/device', { tasks: releasesOfDevice() });
