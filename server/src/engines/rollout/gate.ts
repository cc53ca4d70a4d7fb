import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { type Move, move } from '../../platform/db/move.ts';
import { openRing } from './ring-rows.ts';
import { leaving } from './select-targets.ts';
import { readTask, type Task, type TaskRow, taskRows } from './task.ts';

/** Where a release stands that somebody else must agree to; `screen` shows it. */
export interface Standing {
  readonly step: string;
  readonly screen: string;
}

export interface Actor {
  readonly id: number;
  readonly name: string;
}
/** What whoever hands it in says and gives. */
export interface HandedIn {
  readonly comment: string;
  readonly files: readonly number[];
}
/**
 * Who must agree before a release goes out and before its later rings open. Declared by whoever asks for it; the engine calls it where
 * a release is handed in, changed or gone, and knows nothing of stages or people.
 */
export interface ReleaseGate {
  /** Which of these owners' releases need it, by their paths. */
  coverage(db: Db, paths: readonly string[]): Promise<(deptPath: string) => boolean>;
  /** In the transaction that hands a release in. */
  submitted(ctx: Ctx, task: Task, said: HandedIn): Promise<void>;
  /** A release that was agreed to, or sent back, is written anew: what was agreed counts no more. */
  edited(ctx: Ctx, task: Task): Promise<void>;
  /** It was cancelled or its time is over, all of its terminals have their results, or it is gone. */
  ended(db: Db, task: Pick<Task, 'id' | 'kind'>, how: 'ended' | 'finished' | 'deleted', by: Actor | null): Promise<void>;
  standing(db: Db, task: Pick<Task, 'id' | 'kind' | 'task_class'>): Promise<Standing | null>;
}

/** Rings of a release that somebody must agree to: a sample, a trial, and the rest. */
export const GATED_RINGS = 3;

const lockTask = async (db: Db, id: number): Promise<Task | undefined> => {
  const row: TaskRow | undefined = await db.selectFrom('rollout_task').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row && readTask(row);
};

export interface Opening {
  /** The last ring that may open now. The one before the last but one opens by this word; those after it by their own rules. */
  readonly gate: number;
  readonly hash: string;
  readonly by: { readonly id: number; readonly name: string };
  readonly now: Date;
}

/** Opens rings of a release that was agreed to. False where it has ended meanwhile. */
export async function openGate(db: Db, id: number, { gate, hash, by, now }: Opening): Promise<boolean> {
  const task = await lockTask(db, id);
  if (!task) return false;
  const agreed = { ring_gate: gate, approved_hash: hash };
  const isStarted = task.started_at !== null;
  if (task.state === 'auditing') {
    const set = isStarted ? agreed : { ...agreed, open_ring: 1 };
    const moved = await move(db, taskRows, 'open', [id], { to: isStarted ? 'running' : 'scheduled', set, actorId: by.id });
    if (moved.length === 0) return false;
    // Targets of rings that weren't open may be others now.
    await regather(db, task);
  } else {
    if (!['scheduled', 'running', 'paused', 'halted'].includes(task.state)) return false;
    await db.updateTable('rollout_task').set(agreed).where('id', '=', id).execute();
  }
  const next = Math.min(task.open_ring + 1, gate, task.delivery.rings.length);
  // One that stands still doesn't grow: what was agreed to opens by its rules, or by a person's word, once it goes on.
  const goesOn = isStarted && ['auditing', 'running'].includes(task.state);
  if (goesOn && next > task.open_ring) await openRing(db, task, next, now, by.name);
  return true;
}

async function regather(db: Db, task: Task): Promise<void> {
  await sql`delete from rollout_result r where r.task_id = ${task.id} and ${leaving(task)}`.execute(db);
  await db.updateTable('rollout_task').set({ gathered_at: null, gathered_to: 0 }).where('id', '=', task.id).execute();
}

const movedBy = async (db: Db, id: number, event: 'return' | 'reject', options: Move<keyof typeof taskRows.machine.states & string>) =>
  (await move(db, taskRows, event, [id], options)).length > 0;

/** Back to who wrote it: nothing new is sent, results are kept. False where it has ended meanwhile. */
export const sendBack = (db: Db, id: number, actorId: number | null): Promise<boolean> =>
  movedBy(db, id, 'return', { actorId, set: { ring_gate: 0, approved_hash: null } });

/** Ends what was sent back; the engine closes what is still open. */
export const reject = (db: Db, id: number, actorId: number, now: Date): Promise<boolean> =>
  movedBy(db, id, 'reject', { actorId, set: { ended_at: now } });
