import type { TaskClass } from '@mooring/contract/engines/rollout/schemas';
import { deletableStates } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskNew } from '@mooring/contract/firmware/task-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { z } from 'zod';
import { taskRows } from '../../engines/rollout/task.ts';
import type { Ctx } from '../../platform/context.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import { enableTask } from './move-task.ts';
import { publishedPackage } from './package-queries.ts';
import { KIND, ownTask, showTask } from './task-row.ts';

type New = z.output<typeof TaskNew>;

export function checkScope(scope: New['scope']): void {
  if (scope.releaseScope === '1' && scope.deptIds.length + scope.firmware.length + scope.tags.length === 0)
    throw new Fault('SCOPE_EMPTY', { fields: { scope: 'fault.SCOPE_EMPTY' } });
}

function checkTimes(ctx: Ctx, delivery: New['delivery']): void {
  const { startAt, expiresAt } = delivery;
  if (expiresAt && (new Date(expiresAt) <= ctx.now() || (startAt && expiresAt <= startAt)))
    throw new Fault('EXPIRY_PAST', { fields: { 'delivery.expiresAt': 'fault.EXPIRY_PAST' } });
}

async function valuesOf(ctx: Ctx, input: New) {
  const chosen = await publishedPackage(ctx, input.packageId);
  checkScope(input.scope);
  checkTimes(ctx, input.delivery);
  return {
    name: input.name,
    package_id: chosen.id,
    product_id: chosen.product_id,
    release_scope: input.scope.releaseScope,
    scope: JSON.stringify(input.scope),
    delivery: JSON.stringify(input.delivery),
    start_at: input.delivery.startAt,
    expires_at: input.delivery.expiresAt,
    remark: input.remark,
  };
}

/** A draft; with `release` it goes out in the same transaction, or nothing of it happens. */
export const addTask = (taskClass: TaskClass) => async (ctx: Ctx, input: New & { release: boolean }) => {
  if (input.release && !ctx.actor.permissions.has('firmware:task:enable')) throw fault('FORBIDDEN');
  const values = await valuesOf(ctx, input);
  const { id } = await ctx.db
    .insertInto('rollout_task')
    .values({
      ...values,
      kind: KIND,
      task_class: taskClass,
      dept_id: ctx.scope.deptId,
      dept_path: ctx.scope.path,
      created_by: ctx.actor.userId,
      created_by_name: ctx.actor.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordCreated(ctx.db, taskRows, [id], ctx.actor.userId);
  ctx.audit({ target: input.name });
  if (!input.release) return showTask(ctx, id);
  return enableTask(ctx, id);
};

/** A task that was sent or taken back becomes a draft again with its first change. */
export async function editTask(ctx: Ctx, input: New & { id: number }) {
  const before = await ownTask(ctx, input.id);
  await move(ctx.db, taskRows, 'edit', [input.id], { actorId: ctx.actor.userId });
  const changed = await ctx.db
    .updateTable('rollout_task')
    .set(await valuesOf(ctx, input))
    .where('id', '=', input.id)
    .where('state', '=', 'draft')
    .executeTakeFirst();
  if (changed.numUpdatedRows !== 1n) throw new Fault('TASK_NOT_EDITABLE');
  ctx.audit({ target: input.name, before: { name: before.name, scope: before.scope, delivery: before.delivery } });
  return showTask(ctx, input.id);
}

export async function deleteTask(ctx: Ctx, id: number): Promise<null> {
  const row = await ownTask(ctx, id);
  const gone = await ctx.db
    .deleteFrom('rollout_task')
    .where('id', '=', id)
    .where('state', 'in', [...deletableStates])
    .executeTakeFirst();
  if (gone.numDeletedRows !== 1n) throw new Fault('TASK_NOT_DELETABLE');
  ctx.audit({ target: row.name, before: { state: row.state } });
  return null;
}
