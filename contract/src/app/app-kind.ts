import type { TaskKind } from '../engines/rollout/task-kind.ts';

/** Apps of the catalogue: installed, updated and removed. */
export const softAppKind = {
  kind: 'softApp',
  permission: 'tms:softApp',
  capability: 'softApp',
  domain: 'task',
  sends: 'app',
  paths: { tasks: '/task/softApp', results: '/taskLog/softApp' },
  screens: { list: '/task', task: '/task/detail' },
} as const satisfies TaskKind;
