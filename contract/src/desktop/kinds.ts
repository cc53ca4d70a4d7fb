import type { TaskKind } from '../engines/rollout/task-kind.ts';

const shown = <K extends string>(kind: K) =>
  ({
    kind,
    permission: `tms:${kind}`,
    capability: kind,
    domain: 'task',
    paths: { tasks: `/task/${kind}`, results: `/taskLog/${kind}` },
    screens: { list: '/task', task: '/task/detail' },
  }) as const satisfies TaskKind;

/** What terminals advertise, how their system looks, and what stands on their home screen. */
export const storeAdvertSpaceKind = shown('storeAdvertSpace');
export const systemCustomizationKind = shown('systemCustomization');
export const customizeDesktopKind = shown('customizeDesktop');
