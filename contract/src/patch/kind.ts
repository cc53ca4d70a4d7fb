import type { TaskKind } from '../engines/rollout/task-kind.ts';

/** Patch levels of a terminal's system, beside its firmware. */
export const patchKind = {
  kind: 'patch',
  capability: 'patch',
  domain: 'patch',
  paths: {
    tasks: '/patchTask',
    preTasks: '/patchPreTask',
    results: '/patchTask/device',
    packages: '/patch',
  },
  screens: { list: '/pos/patch', task: '/pos/patchDetail', packages: '/pos/patch/version' },
} as const satisfies TaskKind;
