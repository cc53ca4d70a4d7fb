import type { TaskKind } from '../engines/rollout/task-kind.ts';

const shown = <K extends string>(kind: K, sends: string) =>
  ({
    kind,
    sends,
    permission: `tms:${kind}`,
    capability: kind,
    domain: 'task',
    paths: { tasks: `/task/${kind}`, results: `/taskLog/${kind}` },
    screens: { list: '/task', task: '/task/detail' },
  }) as const satisfies TaskKind;

/** What terminals advertise, how their system looks, and what stands on their home screen. */
export const storeAdvertSpaceKind = shown('storeAdvertSpace', 'advert');
export const systemCustomizationKind = shown('systemCustomization', 'customization');
export const customizeDesktopKind = shown('customizeDesktop', 'desktop');
