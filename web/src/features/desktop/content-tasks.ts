import { advertTaskCalls, customizationTaskCalls, desktopTaskCalls } from '@mooring/contract/desktop/release-calls';
import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';

const byKind: Readonly<Record<string, Pick<TaskCalls, 'add'>>> = {
  storeAdvertSpace: advertTaskCalls,
  systemCustomization: customizationTaskCalls,
  customizeDesktop: desktopTaskCalls,
};

/** The calls of the releases of a kind of content. */
export function contentTasks({ kind }: TaskKind): Pick<TaskCalls, 'add'> {
  const found = byKind[kind];
  if (!found) throw new Error(`${kind} is no content`);
  return found;
}
