import type { Handing } from '@mooring/contract/engines/rollout/task-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { type Move, move } from '../../platform/db/move.ts';
import { checkAlong } from './along.ts';
import { GATED_RINGS, type HandedIn } from './gate.ts';
import { staysOpen } from './join-tasks.ts';
import { matching, statesOf } from './match.ts';
import { acceptFailures, isNextRing, openRing } from './ring-rows.ts';
import { aimOf } from './select-targets.ts';
import { endOf, type RolloutKind, readTask, type Task, taskRows } from './task.ts';
import { needsGate, ownTask, showDetail, showTask } from './task-row.ts';

type TaskEvent = keyof typeof taskRows.machine.events & string;
type TaskState = keyof typeof taskRows.machine.states & string;

/** One event of a task by a person. Overtaken where the task has moved on meanwhile. */
export async function moveTask(ctx: Ctx, kind: RolloutKind, id: number, event: TaskEvent, options: Omit<Move<TaskState>, 'actorId'> = {}) {
  const before = await ownTask(ctx, kind.of, id);
  const moved = await move(ctx.db, taskRows, event, [id], { ...options, actorId: ctx.actor.userId });
  if (moved.length === 0) throw fault('OVERTAKEN');
  ctx.audit({ target: before.name, before: { state: before.state } });
  return showTask(ctx, kind, id);
}

const saidOf = ({ comment = '', files = [] }: Handing): HandedIn => ({ comment, files });
/** Nothing that was said or given is left lying: where nobody is asked there is no history for it. */
export function checkNothingGiven({ comment, files }: HandedIn): void {
  if (files.length > 0) throw new Fault('APPROVAL_NOT_ASKED', { fields: { files: 'fault.APPROVAL_NOT_ASKED' } });
  if (comment !== '') throw new Fault('APPROVAL_NOT_ASKED', { fields: { comment: 'fault.APPROVAL_NOT_ASKED' } });
}

/** Complete: ready at once, or handed in where somebody must agree to it first (design 2, "Task"). */
export async function submitTask(ctx: Ctx, kind: RolloutKind, id: number, given: Handing = {}) {
  const said = saidOf(given);
  const task = readTask(await ownTask(ctx, kind.of, id));
  checkAlong(ctx, kind, task, 'add');
  if (!kind.gate || !(await needsGate(ctx, kind, task))) {
    checkNothingGiven(said);
    return moveTask(ctx, kind, id, 'submit', { to: 'ready' });
  }
  await checkSendable(ctx, kind, task);
  if (task.delivery.rings.length < GATED_RINGS) throw new Fault('APPROVAL_RINGS', { fields: { 'delivery.rings': 'fault.APPROVAL_RINGS' } });
  // One that was ready before anybody had to agree is handed in like a draft.
  if (task.state === 'ready') await move(ctx.db, taskRows, 'edit', [id], { actorId: ctx.actor.userId });
  await moveTask(ctx, kind, id, 'submit', { to: 'auditing', set: { ring_gate: task.ring_gate ?? 0, approved_hash: null } });
  await kind.gate.submitted(ctx, task, said);
  return showTask(ctx, kind, id);
}

async function checkSendable(ctx: Ctx, kind: RolloutKind, task: Task): Promise<void> {
  if (task.expires_at && task.expires_at <= ctx.now()) throw new Fault('EXPIRY_PAST');
  // What was agreed to and then taken back starts as it stands; a draft says when.
  const isWritable = task.started_at === null && task.approved_hash === null;
  if (isWritable && task.start_at && task.start_at <= ctx.now()) throw new Fault('START_PAST');
  await kind.check(ctx, task);
  const condition = await matching(ctx.db, await aimOf(ctx.db, kind, task, statesOf(task.task_class)));
  const any = await sql<{ one: number }>`select 1 as one from device d where ${condition} limit 1`.execute(ctx.db);
  // A pre-task may wait for terminals that nobody has added yet.
  if (any.rows.length === 0 && !staysOpen(task)) throw new Fault('NO_DEVICES');
}

/** Releases it, a draft too: its devices are gathered in the background, then it starts by itself at its time. */
export async function enableTask(ctx: Ctx, kind: RolloutKind, id: number, given: Handing = {}) {
  const row = await ownTask(ctx, kind.of, id);
  const task = readTask(row);
  checkAlong(ctx, kind, task, 'enable');
  await checkSendable(ctx, kind, task);
  // What was agreed to and then taken back starts again by itself; whatever else needs a word is handed in.
  if (task.approved_hash === null && (await needsGate(ctx, kind, task))) return submitTask(ctx, kind, id, given);
  checkNothingGiven(saidOf(given));
  if (row.state === 'draft') await submitTask(ctx, kind, id);
  return moveTask(ctx, kind, id, 'enable', { set: { gathered_at: null, gathered_to: 0, open_ring: 1 } });
}

/** Takes it back before it starts; its devices are gathered anew when it is enabled again. */
export async function disableTask(ctx: Ctx, kind: RolloutKind, id: number) {
  const shown = await moveTask(ctx, kind, id, 'disable', { set: { gathered_at: null, gathered_to: 0 } });
  await ctx.db.deleteFrom('rollout_result').where('task_id', '=', id).execute();
  return shown;
}

/** Starts before its time; where its devices are still being gathered it starts right after. */
export async function startTask(ctx: Ctx, kind: RolloutKind, id: number) {
  const row = await ownTask(ctx, kind.of, id);
  checkAlong(ctx, kind, row, 'enable');
  if (row.state !== 'scheduled') throw fault('OVERTAKEN');
  if (row.gathered_at !== null) {
    await openRing(ctx.db, row, 1, ctx.now(), null);
    return moveTask(ctx, kind, id, 'start', { set: { started_at: ctx.now(), expires_at: endOf(row, ctx.now()) } });
  }
  await ctx.db.updateTable('rollout_task').set({ start_at: ctx.now() }).where('id', '=', id).execute();
  return showTask(ctx, kind, id);
}

/** By a person's word: whatever paused it before is no reason any more. */
export const pauseTask = (ctx: Ctx, kind: RolloutKind, id: number) => moveTask(ctx, kind, id, 'pause', { set: { halt_reason: null } });

/** Goes on after a pause or a halt. What had failed until a halt is accepted: it would halt at its next turn again. */
export async function recoverTask(ctx: Ctx, kind: RolloutKind, id: number) {
  const row = await ownTask(ctx, kind.of, id);
  checkAlong(ctx, kind, row, 'pause');
  await kind.check(ctx, row);
  if (row.state === 'halted') await acceptFailures(ctx.db, row);
  return moveTask(ctx, kind, id, 'recover', { set: { halt_reason: null } });
}

/** Opens the next ring by a person's word, whatever the open one stands at. */
export async function openNextRing(ctx: Ctx, kind: RolloutKind, { id, ring }: { id: number; ring: number }) {
  const row = await ownTask(ctx, kind.of, id);
  checkAlong(ctx, kind, row, 'enable');
  if (row.ring_gate !== null && ring > row.ring_gate) throw new Fault('APPROVAL_NEEDED');
  if (!(await isNextRing(ctx.db, id, ring, readTask(row).delivery.rings.length))) throw fault('OVERTAKEN');
  await openRing(ctx.db, row, ring, ctx.now(), ctx.actor.userName);
  ctx.audit({ target: row.name, before: { openRing: ring - 1 }, after: { openRing: ring } });
  await ctx.invalidate(ctx.db, kind.of.paths.tasks);
  return showDetail(ctx, kind, id);
}

/** Ends it; whoever was to agree to it is asked no more. */
export async function cancelTask(ctx: Ctx, kind: RolloutKind, id: number) {
  const shown = await moveTask(ctx, kind, id, 'cancel', { set: { ended_at: ctx.now() } });
  await kind.gate?.ended(ctx.db, { id, kind: kind.of.kind }, 'ended', { id: ctx.actor.userId, name: ctx.actor.userName });
  return shown;
}
