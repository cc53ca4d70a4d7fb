import { firmwareKind } from '@mooring/contract/firmware/kind';
import { differenceCalls, packageCalls } from '@mooring/contract/firmware/package-calls';
import { deviceFirmwareCalls, preTaskCalls, taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { moduleKind } from '@mooring/contract/module/kind';
import { patchKind } from '@mooring/contract/patch/kind';
import { sql } from 'kysely';
import { releasesOf } from '../../engines/rollout/device-releases.ts';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { packageKind } from '../../engines/rollout/packages/package-kind.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { handlers } from '../../platform/module.ts';

/** The system that a terminal runs. File kinds 5, and 7 without analysis (specification, section 9). */
export const firmwareRelease = (keys: () => Promise<ReleaseKeys>): KindOfRelease => ({
  kind: packageKind({ of: firmwareKind, files: ['5', '7'], keys, has: () => sql`d.firmware`, renews: [patchKind, moduleKind] }),
  routes: (kind) => handlers(deviceFirmwareCalls, { tasks: (ctx, input) => releasesOf(ctx, [kind], input.deviceId) }),
  calls: { tasks: taskCalls, preTasks: preTaskCalls, devices: taskDeviceCalls, packages: packageCalls, differences: differenceCalls },
});
