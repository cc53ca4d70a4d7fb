import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { revokeMessages } from '../../platform/gateway/send-messages.ts';
import { closeResults } from './close.ts';
import { DEVICE_DISABLED } from './follow-devices.ts';
import { resultRows, type Task } from './task.ts';

const SWEEP = 5000;

/** Some rows of a task in these states. */
const some = (task: Task, states: readonly string[], also = sql<boolean>`true`): RawBuilder<boolean> =>
  sql<boolean>`id in (select r.id from rollout_result r where r.task_id = ${task.id} and r.state = any(${states}::text[]) and ${also} limit ${SWEEP})`;

/** What a terminal hasn't answered yet is taken back: one that connects during a pause begins nothing. */
async function pause(db: Db, app: AppContext, task: Task): Promise<number> {
  const held = await move(db, resultRows, 'pause', some(task, ['1', '2']), { set: { changed_at: app.now() } });
  const sent = held.filter((row) => row.from === '2').map((row) => row.id);
  if (sent.length > 0) {
    const unanswered = await sql<{ offer: string }>`
      select offer from rollout_result where id = any(${sent}::bigint[]) and offer is not null and phase is null`.execute(db);
    await revokeMessages(
      db,
      unanswered.rows.map((row) => row.offer),
    );
  }
  return held.length;
}

/**
 * What terminals are working on goes on, with its time anew, and where they wait and are in contact, with as long as they had; the rest waits for
 * its turn anew, and so does what another release has the terminal, or its part, for meanwhile.
 */
async function recover(db: Db, app: AppContext, task: Task): Promise<number> {
  const set = { changed_at: app.now() };
  const held = sql<boolean>`coalesce(r.reason, '') <> ${DEVICE_DISABLED}`;
  const goesOn = sql<boolean>`(r.offer is not null and r.ended_at is null and r.phase is not null and not exists (
    select from rollout_result o where o.device_id = r.device_id and o.kind = r.kind and o.part = r.part and o.state = '2'))`;
  const anew = new Date(app.now().getTime() + task.delivery.timeoutMinutes * 60_000);
  const isPresent = sql`exists (select from device_presence p where p.device_id = t.device_id and p.online)`;
  const sent = await move(db, resultRows, 'recover', some(task, ['8'], sql<boolean>`${held} and ${goesOn}`), {
    to: 'sent',
    set: {
      ...set,
      due_at: sql`case when t.phase = 'waiting' and ${isPresent} then greatest(t.due_at, ${anew}::timestamptz) else ${anew}::timestamptz end`,
    },
  });
  const waiting = await move(db, resultRows, 'recover', some(task, ['8'], sql<boolean>`${held} and not ${goesOn}`), {
    to: 'notSent',
    set: { ...set, due_at: null, phase: null, percent: null },
  });
  return sent.length + waiting.length;
}

/** Brings the devices of a task after it: paused, going on, ended. A batch a turn, so that a million rows hold nobody up. */
export async function followTask(db: Db, app: AppContext, task: Task): Promise<number> {
  const mine = sql<boolean>`task_id = ${task.id}`;
  switch (task.state) {
    case 'paused':
      return pause(db, app, task);
    case 'running':
      return recover(db, app, task);
    case 'cancelled':
    case 'rejected':
      return closeResults(db, app, mine, 'cancel', 'taskCancelled', SWEEP);
    case 'finished':
      return closeResults(db, app, mine, 'expire', 'taskExpired', SWEEP);
    default:
      return 0;
  }
}
