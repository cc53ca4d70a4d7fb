import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { revokeMessages } from '../../platform/gateway/send-messages.ts';
import type { Service } from '../../platform/module.ts';
import { noteTimedOut, TIMED_OUT } from './close.ts';
import { type Decision, decide, endsOf, heldBack, type RingTally } from './decide.ts';
import { followTask } from './follow-task.ts';
import { invalidateTasks } from './handle-results.ts';
import { staysOpen } from './join-tasks.ts';
import { wakeMissed } from './missed.ts';
import { retryByThemselves } from './retry.ts';
import { markRing, openRing, ringRow } from './ring-rows.ts';
import { openOf } from './rings.ts';
import { selectTargets } from './select-targets.ts';
import { sendDue } from './send.ts';
import { foldTally, ringTallyOf } from './tally.ts';
import { endOf, kindNamed, type Rollouts, readTask, resultRows, type Task, type TaskNews, taskRows } from './task.ts';
import { hashOfTask } from './task-content.ts';

const TICK_MS = 500;
const MISSED_MS = 5000;
const SWEEP = 5000;
const LOCKS = 7200;

/** Why it stands still: what would be sent isn't what was agreed to. */
const NOT_AS_AGREED = 'notAsAgreed';

async function carryOut(
  db: Db,
  app: AppContext,
  tell: (news: TaskNews) => Promise<void>,
  task: Task,
  decision: Decision,
  tally: RingTally,
): Promise<void> {
  const now = app.now();
  switch (decision.do) {
    case 'openRing':
      return openRing(db, task, decision.ring, now, null);
    case 'ringReady':
      return markRing(db, task.id, decision.ring, { ready_at: now });
    case 'askPerson':
      await tell({ what: 'asks', ring: decision.ring, succeeded: decision.succeeded, of: decision.of });
      return markRing(db, task.id, decision.ring, { told_at: now });
    case 'start':
      await move(db, taskRows, 'start', [task.id], {
        set: { started_at: now, expires_at: endOf(task, now) },
      });
      return openRing(db, task, 1, now, null);
    case 'halt':
      await tell({ what: 'halted', ...endsOf(tally) });
      await move(db, taskRows, 'halt', [task.id], { set: { halt_reason: `${decision.failed}/${decision.ended}` } });
      return;
    case 'holdOther':
      await tell({ what: 'halted', ...endsOf(tally) });
      await move(db, taskRows, 'halt', [task.id], { set: { halt_reason: NOT_AS_AGREED } });
      return;
    case 'finish':
      await tell({ what: 'finished', ...endsOf(tally) });
      break;
    case 'expire': {
      const { succeeded, failed } = endsOf(tally);
      const left = [...tally.values()].reduce((sum, counts) => sum + openOf(counts), 0);
      await tell({ what: 'expired', succeeded, failed, left });
    }
  }
  await move(db, taskRows, decision.do, [task.id], { set: { ended_at: now } });
}

/** Attempts without a result in time; the terminal's late word still counts. */
async function timeOut(db: Db, app: AppContext, task: Task): Promise<number> {
  const now = app.now();
  const late = await sql<{ id: number; offer: string }>`
    select id, offer from rollout_result where task_id = ${task.id} and state = '2' and due_at < ${now} order by id limit ${SWEEP} for update skip locked`.execute(
    db,
  );
  if (late.rows.length === 0) return 0;
  const ids = late.rows.map((row) => row.id);
  await move(db, resultRows, 'timeOut', ids, { set: { reason: TIMED_OUT, ended_at: now, changed_at: now, due_at: null } });
  const offers = late.rows.map((row) => row.offer);
  await noteTimedOut(db, offers);
  await revokeMessages(db, offers);
  await retryByThemselves(db, app, ids);
  return ids.length;
}

/** One turn of one task. Answers whether there is more to do at once. */
async function turn(db: Db, app: AppContext, { kinds, tell }: Rollouts, id: number): Promise<boolean> {
  const locked = await sql<{ ok: boolean }>`select pg_try_advisory_xact_lock(${LOCKS}, ${id}::int) as ok`.execute(db);
  const row = locked.rows[0]?.ok
    ? await db.selectFrom('rollout_task').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    : undefined;
  const kind = row && kindNamed(kinds, row.kind);
  if (!row || !kind) return false;
  const task = readTask(row);
  const isOther = task.state === 'running' && task.approved_hash !== null && (await hashOfTask(db, task)) !== task.approved_hash;
  if (['scheduled', 'running'].includes(task.state) && !task.gathered_at && !isOther) {
    await selectTargets(db, app, kind, task);
    await invalidateTasks(db, app, kinds, [id]);
    return true;
  }
  await foldTally(db, id);
  const tally = await ringTallyOf(db, id);
  const ring = await ringRow(db, id, task.open_ring);
  const decision = decide(
    {
      state: task.state,
      staysOpen: staysOpen(task),
      startAt: task.start_at,
      isStarted: task.started_at !== null,
      expiresAt: task.expires_at,
      gathered: task.gathered_at !== null,
      openRing: task.open_ring,
      gate: task.ring_gate,
      isOther,
      delivery: task.delivery,
      accepted: { failed: task.accepted_failed, ended: task.accepted_ended, ringFailed: ring?.accepted_failed ?? 0 },
      ringReadyAt: ring?.ready_at ?? null,
      ringTold: ring?.told_at != null,
    },
    tally,
    app.now(),
  );
  if (decision?.do === 'expire' || decision?.do === 'finish')
    await kind.gate?.ended(db, task, decision.do === 'finish' ? 'finished' : 'ended', null);
  if (decision) await carryOut(db, app, (news) => tell(db, kind.of, task, news), task, decision, tally);
  const done = decision
    ? 1
    : (await followTask(db, app, task)) +
      (await timeOut(db, app, task)) +
      (task.state === 'running' ? await sendDue(db, app, kind, task) : 0);
  if (done > 0) await invalidateTasks(db, app, kinds, [id]);
  return done > 0;
}

/** Without values: by these words alone the index of those that have begun is known to hold them. */
const isHeldBack = sql.join(heldBack.map((state) => sql.lit(state)));

/** Tasks that may need a turn: living ones, those held back whose terminals or whose own time are over, those that nobody agreed to in time, and ended ones that still have open devices. */
const waiting = (now: Date) => (db: Db) =>
  sql<{ id: number }>`
  select id from rollout_task where state in ('scheduled', 'running', 'paused', 'halted')
  union select t.id from rollout_task t where t.state in (${isHeldBack}) and t.started_at is not null
    and (t.expires_at <= ${now} or exists (select from rollout_result r where r.task_id = t.id and r.state = '2' and r.due_at < ${now}))
  union select id from rollout_task where state = 'auditing' and expires_at <= ${now}
  union select t.id from rollout_task t where t.state in ('finished', 'cancelled', 'rejected') and t.ended_at > now() - interval '7 days'
    and exists (select from rollout_result r where r.task_id = t.id and r.state in ('1', '2', '8'))
  order by id`.execute(db);

/** One round over all tasks. Answers whether there is more to do at once. */
export async function round(app: AppContext, rollouts: Rollouts): Promise<boolean> {
  const tasks = await app.readInBulk(waiting(app.now()));
  let more = false;
  for (const { id } of tasks.rows) {
    try {
      more = (await app.inBulk((db) => turn(db, app, rollouts, id))) || more;
    } catch (error) {
      app.log.warn({ task: id, error: String(error) }, 'task waits for its next turn');
    }
  }
  return more;
}

/** The engine's clockwork; several processes may run it side by side. */
export const rolloutService = (rollouts: Rollouts): Service => ({
  of: 'worker',
  name: 'rollout',
  start(app) {
    let stopped = false;
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    let looked = 0;
    const once = async () => {
      const now = app.now();
      if (now.getTime() - looked >= MISSED_MS) {
        looked = now.getTime();
        await app.inBulk((db) => wakeMissed(db, now));
      }
      return round(app, rollouts);
    };
    const tick = () => {
      running = once()
        .catch((error: unknown) => {
          app.log.warn({ error: String(error) }, 'rollouts wait');
          return false;
        })
        .then((more) => {
          if (!stopped) timer = setTimeout(tick, more ? 20 : TICK_MS);
        });
    };
    tick();
    return async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    };
  },
});
