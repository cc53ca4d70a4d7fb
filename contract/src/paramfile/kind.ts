import type { TaskKind } from '../engines/rollout/task-kind.ts';

/** A file of parameters for each terminal. */
export const paramFileKind = {
  kind: 'paramFile',
  capability: 'paramFile',
  domain: 'paramfile',
  paths: {
    tasks: '/paramfile/task',
    results: '/paramfile/task/device',
  },
  screens: { list: '/post/paramfile/task', task: '/post/paramfile/task/detail' },
} as const satisfies TaskKind;
