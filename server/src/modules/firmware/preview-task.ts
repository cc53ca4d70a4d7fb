import type { TaskClass } from '@mooring/contract/engines/rollout/schemas';
import type { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { statesOf } from '../../engines/rollout/match.ts';
import { previewOf } from '../../engines/rollout/preview.ts';
import type { Ctx } from '../../platform/context.ts';
import { diffsTo, packageFor } from './firmware-kind.ts';
import { publishedPackage } from './package-queries.ts';
import { KIND } from './task-row.ts';
import { checkScope } from './write-task.ts';

export const previewTask = (taskClass: TaskClass) => async (ctx: Ctx, input: ParsedInputOf<typeof taskCalls.preview>) => {
  const chosen = await publishedPackage(ctx, input.packageId);
  checkScope(input.scope);
  const diffs = await diffsTo(ctx.db, chosen);
  const aim = {
    productId: chosen.product_id,
    deptPath: ctx.scope.path,
    scope: input.scope,
    version: chosen.version,
    states: statesOf(taskClass),
  };
  return previewOf(ctx.db, KIND, aim, input.delivery, (version) => {
    const gets = packageFor(chosen, diffs, version);
    return { gets: gets?.kind === 'DI' ? 'diff' : 'full', bytes: gets?.size ?? 0 };
  });
};
