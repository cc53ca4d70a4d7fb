import { AppPermission, appPermissionCalls, appPermissionDeviceCalls } from '@mooring/contract/app-permission/calls';
import { appPermissionKind } from '@mooring/contract/app-permission/kind';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import { t } from '../../ui/words.ts';

export const appPermissions: ReleaseKind = {
  of: appPermissionKind,
  calls: { tasks: appPermissionCalls, devices: appPermissionDeviceCalls },
  title: 'appPermission.task.title',
  empty: 'appPermission.task.empty',
  emptyText: 'appPermission.task.emptyText',
  content: {
    schema: AppPermission,
    initial: { action: 'config', apps: [] },
    fields: [
      { name: 'list', label: 'appPermission.list', names: 'appPermission.list.' },
      { name: 'action', label: 'release.action', names: 'release.action.' },
      {
        name: 'apps',
        label: 'appPermission.apps',
        help: 'appPermission.appsHelp',
        kind: 'tags',
        wide: true,
        when: ({ list, action }) => list !== undefined && action !== 'reset',
      },
    ],
    words(content) {
      const { data } = AppPermission.safeParse(content);
      if (!data) return '–';
      const list = t(`appPermission.list.${data.list}`);
      return `${list}: ${data.action === 'reset' ? t('release.action.reset') : data.apps.join(', ')}`;
    },
  },
};
