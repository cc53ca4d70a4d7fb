import type { TaskKind } from '../engines/rollout/task-kind.ts';

/** Parts of a terminal with firmware of their own: security processor, modem, printer. */
export const moduleKind = {
  kind: 'module',
  capability: 'module',
  domain: 'module',
  paths: {
    tasks: '/module/fotaTask',
    results: '/module/fotaTask/device',
    packages: '/module/fotaPackage',
  },
  screens: { list: '/device/module', task: '/device/module/moduleTaskDetail', packages: '/device/module/version' },
} as const satisfies TaskKind;
