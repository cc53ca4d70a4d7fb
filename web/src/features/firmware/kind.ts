import { firmwareKind } from '@mooring/contract/firmware/kind';
import { differenceCalls, packageCalls } from '@mooring/contract/firmware/package-calls';
import { preTaskCalls, taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import type { PackageRelease } from '../../engines/rollout/release-kind.ts';

export const firmware: PackageRelease = {
  of: firmwareKind,
  calls: { tasks: taskCalls, preTasks: preTaskCalls, devices: taskDeviceCalls, packages: packageCalls, differences: differenceCalls },
  title: 'firmware.task.title',
  empty: 'firmware.task.empty',
  emptyText: 'firmware.task.emptyText',
  packages: {
    title: 'firmware.package.title',
    empty: 'firmware.package.empty',
    emptyText: 'firmware.package.emptyText',
    fileType: '5',
    rawType: '7',
    counted: true,
  },
};
