import type { TaskKind } from '../engines/rollout/task-kind.ts';

/** What apps may do on terminals, as lists of apps. */
export const appPermissionKind = {
  kind: 'appPermission',
  capability: 'appPermission',
  domain: 'app-permission',
  paths: {
    tasks: '/appPermission/task',
    results: '/appPermission/task/device',
  },
  screens: { list: '/appPermission', task: '/appPermission/detail' },
} as const satisfies TaskKind;
