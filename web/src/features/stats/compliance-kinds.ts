import { softAppKind } from '@mooring/contract/app/app-kind';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { newTaskScreen, type TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { firmwareKind } from '@mooring/contract/firmware/kind';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { Call } from '@mooring/contract/kit/call';
import { moduleTaskCalls } from '@mooring/contract/module/calls';
import { moduleKind } from '@mooring/contract/module/kind';
import { patchTaskCalls } from '@mooring/contract/patch/calls';
import { patchKind } from '@mooring/contract/patch/kind';
import type { Compliance, VersionKind } from '@mooring/contract/stats/compliance-calls';
import { mayCall } from '../../kit/session.ts';

export type VersionRow = Compliance['rows'][number];

const releases: Readonly<Record<VersionKind, { readonly of: TaskKind; readonly add: Call }>> = {
  firmware: { of: firmwareKind, add: taskCalls.add },
  module: { of: moduleKind, add: moduleTaskCalls.add },
  patch: { of: patchKind, add: patchTaskCalls.add },
  app: { of: softAppKind, add: softAppTaskCalls.add },
};
export const hasParts = (kind: VersionKind): kind is 'module' | 'app' => kind === 'module' || kind === 'app';

/** The release wizard with what a row asks for; undefined where nothing brings it up, or it isn't the person's to release. */
export function releaseOf(kind: VersionKind, row: VersionRow, deptId: number | undefined): string | undefined {
  const { of, add } = releases[kind];
  const { behind, packageId, appVersionId, productId, runs } = row;
  if (!behind || !mayCall(add)) return undefined;
  const search = new URLSearchParams({ version: runs });
  if (packageId !== null) search.set('package', String(packageId));
  else if (appVersionId !== null) {
    search.set('appVersion', String(appVersionId));
    search.set('product', String(productId));
  } else return undefined;
  if (deptId !== undefined) search.set('dept', String(deptId));
  return `${newTaskScreen(of)}?${search}`;
}
