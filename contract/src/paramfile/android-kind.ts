import type { TaskKind } from '../engines/rollout/task-kind.ts';

/** Parameters of a terminal's Android system, from a template. */
export const androidParamKind = {
  kind: 'androidParam',
  permission: 'tms:androidParam',
  capability: 'androidParam',
  domain: 'task',
  sends: 'paramTemplate',
  paths: {
    tasks: '/task/androidParam',
    results: '/taskLog/androidParam',
  },
  screens: { list: '/task', task: '/task/detail' },
} as const satisfies TaskKind;
