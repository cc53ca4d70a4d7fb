import {
  patchDeviceCalls,
  patchDifferenceCalls,
  patchPackageCalls,
  patchPreTaskCalls,
  patchTaskCalls,
} from '@mooring/contract/patch/calls';
import { patchKind } from '@mooring/contract/patch/kind';
import type { PackageRelease } from '../../engines/rollout/release-kind.ts';

export const patches: PackageRelease = {
  of: patchKind,
  calls: {
    tasks: patchTaskCalls,
    preTasks: patchPreTaskCalls,
    devices: patchDeviceCalls,
    packages: patchPackageCalls,
    differences: patchDifferenceCalls,
  },
  title: 'patch.task.title',
  empty: 'patch.task.empty',
  emptyText: 'firmware.task.emptyText',
  packages: {
    title: 'patch.package.title',
    empty: 'patch.package.empty',
    emptyText: 'patch.package.emptyText',
    fileType: '5',
    rawType: '7',
  },
};
