import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import type { PreviewInput } from '@mooring/contract/engines/rollout/task-calls';
import type { Ctx } from '../../platform/context.ts';
import { checkAlong } from './along.ts';
import { readingFleet } from './fleet-turn.ts';
import { statesOf } from './match.ts';
import { previewOf } from './preview.ts';
import { aimOf } from './select-targets.ts';
import { endOf, type RolloutKind } from './task.ts';
import { ownTask } from './task-row.ts';
import { checkScope, subjectOf } from './write-task.ts';

export const previewTask = (kind: RolloutKind, taskClass: TaskClass) => (ctx: Ctx, input: PreviewInput) =>
  readingFleet(ctx.actor.userId, () => preview(kind, taskClass, ctx, input));

async function preview(kind: RolloutKind, taskClass: TaskClass, ctx: Ctx, { scope, delivery, taskId, ...input }: PreviewInput) {
  const sent = subjectOf(input);
  checkAlong(ctx, kind, sent, 'add');
  await kind.check(ctx, sent);
  checkScope(scope);
  const path = taskId === undefined ? ctx.scope.path : (await ownTask(ctx, kind.of, taskId)).dept_path;
  const aim = await aimOf(ctx.db, kind, { ...sent, dept_path: path, scope, delivery }, statesOf(taskClass));
  const { lacking } = kind;
  const lacks = lacking && ((deviceIds: readonly number[]) => lacking(ctx, sent, deviceIds));
  const from = delivery.startAt ? new Date(Math.max(Date.parse(delivery.startAt), ctx.now().getTime())) : ctx.now();
  const expires = delivery.expiresAt === null ? null : new Date(delivery.expiresAt);
  const life = taskClass === taskClasses.daily ? { from, to: endOf({ task_class: taskClass, expires_at: expires }, from) } : undefined;
  const found = await previewOf(ctx.db, kind.of.kind, aim, delivery, { weigh: await kind.weigh(ctx, sent), lacks, life });
  return { ...found, approval: (await kind.gate?.coverage(ctx.db, [path]))?.(path) ?? false };
}
