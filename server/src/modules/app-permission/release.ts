import { AppPermission, appPermissionCalls, appPermissionDeviceCalls } from '@mooring/contract/app-permission/calls';
import { appPermissionKind } from '@mooring/contract/app-permission/kind';
import type { KindOfRelease } from '../../engines/rollout/module.ts';
import { settingKind } from '../../engines/rollout/settings/setting-kind.ts';

/** Each list of apps is a setting of its own; a list that a task doesn't name stays as it is. */
export const appPermissionRelease: KindOfRelease = {
  kind: settingKind({
    of: appPermissionKind,
    content: AppPermission,
    setting: ({ list, action, apps }) => ({
      section: `appPermission.${list}`,
      values: action === 'reset' ? null : { apps: apps.toSorted() },
    }),
  }),
  calls: { tasks: appPermissionCalls, devices: appPermissionDeviceCalls },
};
