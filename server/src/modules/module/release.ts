import { moduleDeviceCalls, moduleDifferenceCalls, modulePackageCalls, moduleTaskCalls } from '@mooring/contract/module/calls';
import { moduleKind } from '@mooring/contract/module/kind';
import { sql } from 'kysely';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { packageKind } from '../../engines/rollout/packages/package-kind.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';

/** Parts with firmware of their own, by the names that terminals report. File kind 6 (specification, section 9). */
export const moduleRelease = (keys: () => Promise<ReleaseKeys>): KindOfRelease => ({
  kind: packageKind({
    of: moduleKind,
    files: ['6'],
    keys,
    has: (name) => sql`d.modules ->> ${name}`,
    // What one has that was never in contact nobody knows.
    fits: ({ name }) => sql`(d.modules ? ${name} or d.activated_at is null)`,
  }),
  calls: { tasks: moduleTaskCalls, devices: moduleDeviceCalls, packages: modulePackageCalls, differences: moduleDifferenceCalls },
});
