import type { TaskKind } from '../engines/rollout/task-kind.ts';

export const firmwareKind = {
  kind: 'firmware',
  domain: 'firmware',
  paths: {
    tasks: '/api/fotaUptask',
    preTasks: '/api/fotaPreUptask',
    results: '/api/fotataskdevice',
    packages: '/api/fotaUppackage',
  },
  screens: { list: '/device/fota', task: '/device/fota/taskmod', packages: '/device/fota/version' },
} as const satisfies TaskKind;
