import type { TaskClass } from '@mooring/contract/engines/rollout/schemas';
import type { TaskInput } from '@mooring/contract/engines/rollout/task-calls';
import type { Ctx } from '../../platform/context.ts';
import { statesOf } from './match.ts';
import { previewOf } from './preview.ts';
import { aimOf } from './select-targets.ts';
import type { RolloutKind } from './task.ts';
import { checkScope, subjectOf } from './write-task.ts';

export const previewTask =
  (kind: RolloutKind, taskClass: TaskClass) =>
  async (ctx: Ctx, { scope, delivery, ...input }: Omit<TaskInput, 'name' | 'remark'>) => {
    const sent = subjectOf(input);
    await kind.check(ctx, sent);
    checkScope(scope);
    const aim = await aimOf(ctx.db, kind, { ...sent, dept_path: ctx.scope.path, scope, delivery }, statesOf(taskClass));
    const preview = await previewOf(ctx.db, kind.of.kind, aim, delivery, await kind.weigh(ctx.db, sent));
    return { ...preview, approval: (await kind.gate?.coverage(ctx.db, [ctx.scope.path]))?.(ctx.scope.path) ?? false };
  };
