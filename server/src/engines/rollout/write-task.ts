import { isDeepStrictEqual } from 'node:util';
import { type Delivery, narrowsNothing, type TaskClass, type TaskScope } from '@mooring/contract/engines/rollout/schemas';
import { deletableStates } from '@mooring/contract/engines/rollout/state-machines';
import type { Handing, TaskInput } from '@mooring/contract/engines/rollout/task-calls';
import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { move, recordCreated } from '../../platform/db/move.ts';
import { checkAlong } from './along.ts';
import { checkNothingGiven, enableTask } from './move-task.ts';
import { endOf, type RolloutKind, readTask, type SubjectOf, type TaskRow, taskRows } from './task.ts';
import { ownTask, showTask } from './task-row.ts';

export function checkScope(scope: TaskScope): void {
  if (narrowsNothing(scope)) throw new Fault('SCOPE_EMPTY', { fields: { scope: 'fault.SCOPE_EMPTY' } });
}

/** What is to be sent, as it is stored. */
export const subjectOf = (input: Pick<TaskInput, 'packageId' | 'content' | 'productId'>): SubjectOf => ({
  package_id: input.packageId ?? null,
  product_id: input.productId ?? null,
  content: input.content ?? null,
});

function checkTimes(ctx: Ctx, { startAt, expiresAt }: Delivery, isStarted: boolean): void {
  if (startAt && !isStarted && new Date(startAt) <= ctx.now())
    throw new Fault('START_PAST', { fields: { 'delivery.startAt': 'fault.START_PAST' } });
  if (expiresAt && (new Date(expiresAt) <= ctx.now() || (startAt && expiresAt <= startAt)))
    throw new Fault('EXPIRY_PAST', { fields: { 'delivery.expiresAt': 'fault.EXPIRY_PAST' } });
}

async function hold(ctx: Ctx, table: 'device_group' | 'merchant_merchant', named: readonly number[]): Promise<void> {
  const ids = [...new Set(named)];
  if (ids.length === 0) return;
  const held = await sql`select from ${sql.table(table)} where id = any(${ids}::bigint[]) order by id for key share`.execute(ctx.db);
  if (held.rows.length < ids.length) throw fault('NOT_FOUND');
}

/** Groups and merchants that a release is written for stay until that is done: who deletes one meanwhile waits, and is refused then. */
async function holdNamed(ctx: Ctx, { scope, delivery }: TaskInput): Promise<void> {
  const partial: Pick<Extract<TaskScope, { releaseScope: '1' }>, 'groupIds' | 'merchantIds'> = scope.releaseScope === '1' ? scope : {};
  const named = [partial, ...delivery.rings];
  await hold(
    ctx,
    'device_group',
    named.flatMap(({ groupIds = [] }) => groupIds),
  );
  await hold(
    ctx,
    'merchant_merchant',
    named.flatMap(({ merchantIds = [] }) => merchantIds),
  );
}

async function valuesOf(ctx: Ctx, kind: RolloutKind, input: TaskInput, path: string, isStarted = false) {
  const sent = subjectOf(input);
  checkAlong(ctx, kind, sent, 'add');
  await kind.check(ctx, sent);
  checkScope(input.scope);
  await holdNamed(ctx, input);
  checkTimes(ctx, input.delivery, isStarted);
  const content = (await kind.filled?.(ctx, sent, path)) ?? sent.content;
  const subject = await kind.subjectOf(ctx.db, { ...sent, content });
  return {
    name: input.name,
    package_id: sent.package_id,
    content: content === null ? null : JSON.stringify(content),
    subject: subject.name,
    product_id: subject.productId,
    release_scope: input.scope.releaseScope,
    scope: JSON.stringify(input.scope),
    delivery: JSON.stringify(input.delivery),
    start_at: input.delivery.startAt,
    expires_at: input.delivery.expiresAt,
    remark: input.remark,
  };
}

/** A draft; with `release` it goes out in the same transaction, or nothing of it happens. */
export const addTask = (kind: RolloutKind, taskClass: TaskClass) => async (ctx: Ctx, input: TaskInput & Handing & { release: boolean }) => {
  const { comment = '', files = [] } = input;
  if (input.release && !ctx.actor.permissions.has(taskPermission(kind.of, 'enable'))) throw fault('FORBIDDEN');
  const values = await valuesOf(ctx, kind, input, ctx.scope.path);
  const { id } = await ctx.db
    .insertInto('rollout_task')
    .values({
      ...values,
      kind: kind.of.kind,
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
  if (input.release) return enableTask(ctx, kind, id, { comment, files });
  checkNothingGiven({ comment, files });
  return showTask(ctx, kind, id);
};

/** Once ring 1 has opened, what is sent and to which rings stays; whom else, when and how may change (design 2, "Approval step"). */
function checkFixed(before: TaskRow, input: TaskInput): void {
  const task = readTask(before);
  const sent = subjectOf(input);
  const same = (a: unknown, b: unknown) => isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
  if (
    input.name !== task.name ||
    sent.package_id !== task.package_id ||
    !same(sent.content, task.content) ||
    !same(input.delivery.rings, task.delivery.rings)
  )
    throw new Fault('APPROVAL_FIXED');
}

/** A task that was sent or taken back becomes a draft again with its first change. */
export async function editTask(ctx: Ctx, kind: RolloutKind, input: TaskInput & { id: number }) {
  const before = await ownTask(ctx, kind.of, input.id);
  // What travels along in it is as little theirs to take out as to put in.
  checkAlong(ctx, kind, before, 'add');
  if (before.started_at !== null) checkFixed(before, input);
  const [moved] = await move(ctx.db, taskRows, 'edit', [input.id], { actorId: ctx.actor.userId, set: { approved_hash: null } });
  const isStarted = before.started_at !== null;
  const values = await valuesOf(ctx, kind, input, before.dept_path, isStarted);
  const given = values.expires_at === null ? null : new Date(values.expires_at);
  // What has begun never loses its end.
  const expires_at = isStarted ? endOf({ task_class: before.task_class, expires_at: given }, ctx.now()) : given;
  const changed = await ctx.db
    .updateTable('rollout_task')
    .set({ ...values, expires_at, editor_ids: [...new Set([...before.editor_ids.map(Number), ctx.actor.userId])] })
    .where('id', '=', input.id)
    .where('state', '=', 'draft')
    .executeTakeFirst();
  if (changed.numUpdatedRows !== 1n) throw new Fault('TASK_NOT_EDITABLE');
  ctx.audit({ target: input.name, before: { name: before.name, scope: before.scope, delivery: before.delivery, content: before.content } });
  if (moved && before.ring_gate !== null) await kind.gate?.edited(ctx, readTask(before));
  return showTask(ctx, kind, input.id);
}

export async function deleteTask(ctx: Ctx, kind: RolloutKind, id: number): Promise<null> {
  const row = await ownTask(ctx, kind.of, id);
  const gone = await ctx.db
    .deleteFrom('rollout_task')
    .where('id', '=', id)
    .where('state', 'in', [...deletableStates])
    .where((eb) => eb.or([eb('started_at', 'is', null), eb('ended_at', 'is not', null)]))
    .executeTakeFirst();
  if (gone.numDeletedRows !== 1n) throw new Fault('TASK_NOT_DELETABLE');
  await kind.gate?.ended(ctx.db, { id, kind: kind.of.kind }, 'deleted', null);
  ctx.audit({ target: row.name, before: { state: row.state } });
  return null;
}
