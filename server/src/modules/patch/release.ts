import {
  patchDeviceCalls,
  patchDifferenceCalls,
  patchPackageCalls,
  patchPreTaskCalls,
  patchTaskCalls,
} from '@mooring/contract/patch/calls';
import { patchKind } from '@mooring/contract/patch/kind';
import { sql } from 'kysely';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { packageKind } from '../../engines/rollout/packages/package-kind.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';

/** Patch levels of the system. Its files are firmware's (specification, section 9, has no kind of their own). */
export const patchRelease = (keys: () => Promise<ReleaseKeys>): KindOfRelease => ({
  kind: packageKind({
    of: patchKind,
    files: ['5', '7'],
    keys,
    has: () => sql`d.patch`,
    // One that reports no level has nothing to patch; what one has that was never in contact nobody knows.
    fits: () => sql`(d.patch is not null or d.activated_at is null)`,
  }),
  calls: {
    tasks: patchTaskCalls,
    preTasks: patchPreTaskCalls,
    devices: patchDeviceCalls,
    packages: patchPackageCalls,
    differences: patchDifferenceCalls,
  },
});
