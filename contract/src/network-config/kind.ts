import type { TaskKind } from '../engines/rollout/task-kind.ts';

/** Which networks terminals may use. */
export const networkConfigKind = {
  kind: 'networkConfig',
  capability: 'networkConfig',
  domain: 'network-config',
  paths: {
    tasks: '/networkConfig/task',
    results: '/networkConfig/task/device',
  },
  screens: { list: '/networkConfig', task: '/networkConfig/detail' },
} as const satisfies TaskKind;
