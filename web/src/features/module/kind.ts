import { moduleDeviceCalls, moduleDifferenceCalls, modulePackageCalls, moduleTaskCalls } from '@mooring/contract/module/calls';
import { moduleKind } from '@mooring/contract/module/kind';
import type { PackageRelease } from '../../engines/rollout/release-kind.ts';

export const modules: PackageRelease = {
  of: moduleKind,
  calls: { tasks: moduleTaskCalls, devices: moduleDeviceCalls, packages: modulePackageCalls, differences: moduleDifferenceCalls },
  title: 'module.task.title',
  empty: 'module.task.empty',
  emptyText: 'firmware.task.emptyText',
  packages: {
    title: 'module.package.title',
    empty: 'module.package.empty',
    emptyText: 'module.package.emptyText',
    fileType: '6',
    name: { label: 'module.package.name', help: 'module.package.nameHelp' },
  },
};
