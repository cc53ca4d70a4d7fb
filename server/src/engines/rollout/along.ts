import { type TaskAct, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import type { RolloutKind, SubjectOf } from './task.ts';

/** Whether the actor may do this with what travels along, as if it were sent by itself. */
export const maySend = (ctx: Pick<Ctx, 'actor'>, kind: RolloutKind, task: SubjectOf, act: TaskAct): boolean =>
  kind.along?.(task).every((of) => ctx.actor.permissions.has(taskPermission(of, act))) ?? true;

/** Fault: FORBIDDEN. */
export function checkAlong(ctx: Pick<Ctx, 'actor'>, kind: RolloutKind, task: SubjectOf, act: TaskAct): void {
  if (!maySend(ctx, kind, task, act)) throw fault('FORBIDDEN');
}
